import ArgumentParser
import Snap

/// How a frame becomes a picture, as typed.
struct PictureOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A box: 320x180, 320 (wide) or x180 (high). (default: as it is)", valueName: "box"))
    var size: String?

    @Option(help: ArgumentHelp("How the picture fills the box.", valueName: "way"))
    var fit = PictureFit.contain

    @Flag(help: "Enlarge a video that is smaller than the box.")
    var upscale = false

    @Flag(help: "Don't turn it upright.")
    var noRotate = false

    @Flag(help: "Keep pixels that are not square.")
    var keepSar = false

    @Option(
        help: ArgumentHelp(
            "Deinterlace; auto: frames flagged as interlaced; top, bottom: the instant of that field.",
            valueName: "when"))
    var deinterlace = Deinterlacing.automatic

    @Option(
        help: ArgumentHelp("HDR: tonemap to SDR, clip highlights, or keep it in a PNG of 16 bits.", valueName: "way"))
    var hdr = HighDynamicRange.toneMapped

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Behind padding and transparency: '#rrggbb'.", valueName: "colour"))
    var background = "#000000"

    @Option(
        help: ArgumentHelp("jpg or png. (default: by the extension of --output, else jpg)", valueName: "format"),
        completion: .list(["jpg", "png"]))
    var format: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Of JPEG, 1 to 100.", valueName: "number"))
    var quality = 85

    @Option(help: ArgumentHelp("Colour resolution of JPEG; auto: 444 from quality 90 on.", valueName: "kind"))
    var subsampling = ChromaSubsampling.automatic

    @Flag(help: "JPEG in several scans, coarse to fine.")
    var progressive = false

    @Flag(inversion: .prefixedNo, help: "Fewer bytes for the same JPEG, a little slower.")
    var optimize = true

    @Flag(help: "Write when and where the frame was taken into the picture (EXIF), as far as the video says so.")
    var metadata = false
}
