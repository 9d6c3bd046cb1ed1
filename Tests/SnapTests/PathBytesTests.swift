import Foundation
import Snap
import TestSupport
import Testing

@Suite("A library user's paths that are not UTF-8")
struct PathBytesTests {
    #if os(Linux)  // macOS takes UTF-8 only
        @Test("A video is read from and a picture is written to a path of bytes")
        func readAndWritten() async throws {
            let folder = try TemporaryDirectory()
            let path = Array(folder.path("f").utf8) + [0xFF, 0xFE]
            let video = path + Array(".mp4".utf8)
            let file = fopen(video.map { CChar(bitPattern: $0) } + [0], "w")
            let bytes = try Clip.h264.bytes()
            #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count && fclose(file) == 0)

            let snapshot = try await Video(.file(pathBytes: video), options: .oneThread).snapshot(at: .start)
            let receipt = try await snapshot.write(toPathBytes: path + Array(".png".utf8))
            #expect(receipt.source == folder.path("f\u{10FFFF}\u{10FFFE}.mp4"))
            #expect(receipt.output == folder.path("f\u{10FFFF}\u{10FFFE}.png"))
            #expect(access((path + Array(".png".utf8)).map { CChar(bitPattern: $0) } + [0], R_OK) == 0)
            #expect(failure(of: Source(receipt.source)) == nil)
        }
    #endif

    @Test("The text of a path that is UTF-8 is that text")
    func plain() {
        #expect(Source.file(pathBytes: Array("clips/é.mp4".utf8)).name == "clips/é.mp4")
    }
}
