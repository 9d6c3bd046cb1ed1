import ArgumentParser

/// What can be typed about pictures and videos, wherever pictures are taken.
struct TypedOptions: ParsableArguments {
    @OptionGroup(title: "Which frame") var frame: FrameOptions
    @OptionGroup(title: "The picture") var picture: PictureOptions
    @OptionGroup(title: "Where it goes") var output: OutputOptions
    @OptionGroup(title: "HLS streams") var stream: StreamOptions
    @OptionGroup(title: "Reading and limits") var reading: ReadingOptions
}
