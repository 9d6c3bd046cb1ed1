import Foundation
import Snap
import SnapBase
import TestSupport
import Testing

/// What can't be shown gets its code, its exit code and a sentence.
@Suite("Input that gives no picture")
struct BadInputTests {
    struct Expectation: Sendable, CustomStringConvertible {
        let clip: Clip
        let code: SnapError.Code
        let exitCode: Int32
        /// What the sentence must say.
        let words: [String]
        var description: String { clip.description }
    }

    static let table: [Expectation] = [
        .init(clip: .audioOnly, code: .noVideo, exitCode: 65, words: ["no video stream", "audio only: aac"]),
        .init(
            clip: .audioWithCover, code: .noVideo, exitCode: 65,
            words: ["no video stream", "audio: aac", "cover art: png"]),
        .init(clip: .empty, code: .empty, exitCode: 65, words: ["empty"]),
        .init(clip: .text, code: .notMedia, exitCode: 65, words: ["not a video"]),
        .init(clip: .noise, code: .notMedia, exitCode: 65, words: ["not a video"]),
        .init(clip: .noFrames, code: .noVideo, exitCode: 65, words: ["no video stream", "no streams"]),
        .init(clip: .encrypted, code: .encrypted, exitCode: 65, words: ["encrypted", "no keys"]),
        .init(clip: .unknownCodec, code: .missingDecoder, exitCode: 69, words: ["no decoder", "zzzz", "libavcodec"]),
        .init(clip: .absurdSize, code: .noFrame, exitCode: 65, words: ["no frame", "60000x60000"]),
        // Fewer bytes than such a picture could have: the decoder refuses before it takes memory.
        .init(clip: .hugeSize, code: .noFrame, exitCode: 65, words: ["no frame"]),
    ]

    @Test("Every clip without a picture says why", arguments: table)
    func unplayable(_ expected: Expectation) throws {
        let path = try expected.clip.path()
        for position in [Position.start, .seconds(1), .percent(50), .end, .frame(3), .representative] {
            let error = try #require(failure(of: .file(path), at: position))
            #expect(error.code == expected.code, "\(position): \(error)")
            #expect(error.exitCode == expected.exitCode)
            #expect(error.source == path)
            #expect(expected.words.allSatisfy(error.description.contains), "\(error)")
            #expect(isSentence(error.message), "\(error)")
        }
    }

    @Test("The table leaves no such clip out")
    func complete() { #expect(Set(Self.table.map(\.clip.name)) == Set(Clip.unplayable.map(\.name))) }

    @Test("What is not a file that can be read says so")
    func files() throws {
        let folder = try TemporaryDirectory()
        let secret = try folder.write(Clip.moovFirst.bytes(), to: "secret.mp4")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: secret)
        let cases: [(String, SnapError.Code, Int32, String)] = [
            (folder.path("missing.mp4"), .notFound, 66, "no such file"),
            (secret + "/below-a-file.mp4", .notFound, 66, "no such file"),
            (folder.path, .isDirectory, 66, "folder"),
            (folder.path + "/", .isDirectory, 66, "folder"),
            ("/dev/null", .empty, 65, "empty"),
            ("", .notFound, 66, "no such file"),
        ]
        for (path, code, exitCode, words) in cases {
            let error = try #require(failure(of: .file(path)))
            #expect(error.code == code && error.exitCode == exitCode, "\(error)")
            #expect(error.message.contains(words) && isSentence(error.message), "\(error)")
        }
        guard getuid() != 0 else { return }  // nothing is secret from root
        let error = try #require(failure(of: .file(secret)))
        #expect(error.code == .notReadable && error.exitCode == 66 && error.message.contains("ermission"), "\(error)")
    }

    @Test("A decoder never makes a picture larger than the limit, whatever headers claim")
    func pixelLimit() throws {
        var options = VideoOptions.oneThread
        options.pixelLimit = 100 * 100
        for clip in [Clip.moovFirst, .vp9, .mpeg2InTS, .mjpegInAVI, .ffv1] {
            let error = try #require(failure(of: .file(try clip.path()), opening: options))
            #expect(error.code == .tooLarge && error.message.contains("10000 pixels"), "\(clip): \(error)")
        }
    }

    @Test("Times that no video has are answered like those past either end")
    func absurdTimes() throws {
        let path = try Clip.mkv.path()
        for (time, number) in [(Int64.max, 59), (Int64.max / 1000, 59), (1 << 50, 59), (Int64.min, 0), (-(1 << 50), 0)]
        {
            for tolerance in [Tolerance.exact, .any] {
                var options = SnapshotOptions()
                options.tolerance = tolerance
                let snapshot = try snapshot(of: .file(path), at: .time(MediaTime(seconds: time)), options: options)
                let got = Clip.mkv.number(in: snapshot.picture.rgb)
                #expect(tolerance == .exact ? got == number : got != nil)
            }
        }
    }

    /// No bare code, no line end, no full stop, nothing of the language that it is written in.
    private func isSentence(_ text: String) -> Bool {
        text.count > 8 && !text.hasSuffix(".") && !text.contains("\n") && !text.contains("Optional(")
            && !text.contains("nan")
    }
}
