import Foundation

/// How a clip is made.
indirect enum ClipRecipe: Sendable {
    /// Calls of the ffmpeg command. `{source}` and `{source1}` stand for the inputs of drawn frames, `{clip}` and
    /// `{clip1}` for the paths of other clips, `{work}` for a scratch folder, `{out}` for the clip.
    case commands([[String]], sources: [FrameSource], clips: [Clip])
    /// Another clip with some bytes changed.
    case patched(Clip, BytePatch)
    case bytes([UInt8])

    /// Says all that the clip depends on.
    private var description: String {
        switch self {
        case .commands(let commands, let sources, let clips):
            "\(commands) \(sources.map { $0.description + $0.rate }) \(clips.map(\.recipe.description))"
        case .patched(let clip, let patch): clip.recipe.description + " " + patch.name
        case .bytes(let bytes): "\(bytes)"
        }
    }

    func file(named name: String, extension: String) throws -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in description.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return try ClipCache.file("\(name)-\(String(hash, radix: 36)).\(`extension`)") { folder in
            let out = folder + "/clip." + `extension`
            try make(out, in: folder, name: name)
            return out
        }
    }

    private func make(_ out: String, in folder: String, name: String) throws {
        switch self {
        case .commands(let commands, let sources, let clips):
            for command in commands {
                let arguments = try command.flatMap { word in
                    try Self.replace(word, sources: sources, clips: clips, folder: folder, out: out)
                }
                let fixed = ["-nostdin", "-v", "error", "-y"]
                let result = try ProcessRunner.run("ffmpeg", fixed + arguments, limit: 120)
                guard result.exitCode == 0 else { throw ProcessError("clip \(name): \(result.messages)") }
            }
        case .patched(let clip, let patch):
            try Data(patch.apply(clip.bytes())).write(to: URL(fileURLWithPath: out))
        case .bytes(let bytes):
            try Data(bytes).write(to: URL(fileURLWithPath: out))
        }
    }

    private static func replace(
        _ word: String, sources: [FrameSource], clips: [Clip], folder: String, out: String
    ) throws -> [String] {
        for (i, source) in sources.enumerated() where word == (i == 0 ? "{source}" : "{source\(i)}") {
            return try source.arguments()
        }
        if word == "{out}" { return ["-fflags", "+bitexact", out] }
        var word = word.replacingOccurrences(of: "{out}", with: out).replacingOccurrences(of: "{work}", with: folder)
        for (i, clip) in clips.enumerated() {
            let place = i == 0 ? "{clip}" : "{clip\(i)}"
            if word.contains(place) { word = word.replacingOccurrences(of: place, with: try clip.path()) }
        }
        return [word]
    }
}
