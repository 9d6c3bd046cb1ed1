/// How large a picture is wanted: a box that it is fitted to, after rotation.
public enum PictureSize: Sendable, Hashable {
    /// As the video is shown: cropped, with square pixels, upright.
    case original
    /// At most so many pixels wide; the height follows.
    case width(Int)
    /// At most so many pixels high; the width follows.
    case height(Int)
    /// A box of width and height in pixels; ``PictureFit`` says how it is filled.
    case box(width: Int, height: Int)
}
