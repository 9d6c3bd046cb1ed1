/// The part of a Matroska video that is meant to be shown (PixelCropTop and the like: RFC 9559, section 5.1.4.1.28), and the
/// shape of its pixels, which a file tells by the size at which that part is shown.
///
/// libavformat tells both from release 7.1 on. They are read here from the file, for all releases alike.
struct MatroskaCrop {
    let rectangle: PixelRectangle
    let sampleAspectRatio: AspectRatio?

    private typealias Kind = EBMLElement.Kind

    /// - Parameters:
    ///   - index: Of the track among those of video, from 0.
    ///   - width: Of the coded picture.
    ///   - height: Of the coded picture.
    /// - Returns: `nil` where the whole picture is shown, or what the file says can't be.
    init?(in reader: ByteReader, videoTrack index: Int, width: Int, height: Int) throws(MediaError) {
        var budget = EBMLElement.mostElements
        guard let tracks = try EBMLElement.topLevel(Kind.tracks, in: reader, &budget) else { return nil }
        var videos: [EBMLElement] = []
        for track in try tracks.children(reader, &budget) where track.kind == Kind.trackEntry {
            let parts = try track.children(reader, &budget)
            guard try parts.first(where: { $0.kind == Kind.trackType })?.number(reader) == 1 else { continue }
            if let video = parts.first(where: { $0.kind == Kind.video }) { videos.append(video) }
        }
        guard videos.indices.contains(index) else { return nil }
        let settings = try videos[index].children(reader, &budget)
        func number(_ kind: UInt32) throws(MediaError) -> Int? {
            try settings.first { $0.kind == kind }?.number(reader)
        }
        let (left, right) = (try number(Kind.cropLeft) ?? 0, try number(Kind.cropRight) ?? 0)
        let (top, bottom) = (try number(Kind.cropTop) ?? 0, try number(Kind.cropBottom) ?? 0)
        guard left > 0 || right > 0 || top > 0 || bottom > 0, left < width, right < width - left, top < height,
            bottom < height - top
        else { return nil }
        rectangle = PixelRectangle(x: left, y: top, width: width - left - right, height: height - top - bottom)
        let isUnknown = try number(Kind.displayUnit) == 4
        let shownWidth = try number(Kind.displayWidth) ?? rectangle.width
        let shownHeight = try number(Kind.displayHeight) ?? rectangle.height
        let (across, isTooWide) = shownWidth.multipliedReportingOverflow(by: rectangle.height)
        let (down, isTooHigh) = shownHeight.multipliedReportingOverflow(by: rectangle.width)
        sampleAspectRatio = isUnknown || isTooWide || isTooHigh ? nil : AspectRatio(across, over: down)
    }
}
