import Foundation

/// A video that is made when it is first asked for, with what is known of it.
public struct Clip: Sendable, CustomStringConvertible {
    /// What it proves, in a few words: `h264-open-gop`.
    public let name: String
    public let fileExtension: String
    public let facts: ClipFacts
    let recipe: ClipRecipe

    init(_ name: String, _ fileExtension: String, _ facts: ClipFacts, _ recipe: ClipRecipe) {
        self.name = name
        self.fileExtension = fileExtension
        self.facts = facts
        self.recipe = recipe
    }

    /// A clip that the ffmpeg command makes in one call from numbered frames.
    init(
        _ name: String, _ fileExtension: String, _ facts: ClipFacts, from source: FrameSource = FrameSource(),
        _ arguments: [String]
    ) {
        self.init(
            name, fileExtension, facts,
            .commands([["{source}"] + arguments + ["{out}"]], sources: [source], clips: []))
    }

    /// A clip that the ffmpeg command makes in one call from another one, without coding it again.
    init(
        _ name: String, _ fileExtension: String, _ facts: ClipFacts, copying clip: Clip, before: [String] = [],
        _ arguments: [String] = []
    ) {
        let command = before + ["-i", "{clip}", "-map", "0", "-c", "copy"] + arguments + ["{out}"]
        self.init(name, fileExtension, facts, .commands([command], sources: [], clips: [clip]))
    }

    public var description: String { name + "." + fileExtension }

    /// The file, which must not be changed: other tests read it too.
    public func path() throws -> String { try recipe.file(named: name, extension: fileExtension) }

    public func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path()))) }

    /// The number on a picture of this clip.
    public func number(in picture: RGBPicture) -> Int? {
        min(facts.width, facts.height) < 30 ? FlatPattern.number(in: picture) : FrameNumberPattern.number(in: picture)
    }
}
