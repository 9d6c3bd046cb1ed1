import SnapBase
import Testing

@testable import SnapMedia

@Suite("Still pictures that are items of a file")
struct StillItemTests {
    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let size = content.count + 8
        return [0, 0, UInt8(size >> 8), UInt8(size & 255)] + Array(type.utf8) + content
    }

    private func file(_ properties: [String]) -> [UInt8] {
        let container = box("ipco", properties.flatMap { box($0, [0, 0, 0, 1]) })
        let items = box("meta", [0, 0, 0, 0] + box("hdlr", []) + box("iprp", container))
        return box("ftyp", Array("avif".utf8)) + items + box("mdat", [1, 2, 3])
    }

    private func hasAlpha(_ properties: [String]) throws(MediaError) -> Bool {
        try StillItem.hasAlpha(in: ByteReader(MemoryByteSource(file(properties)), interrupt: Interrupt()))
    }

    @Test("Those that are to be turned, mirrored or cropped are refused, with what it is")
    func changes() throws {
        for (type, word) in [("irot", "turned"), ("imir", "mirrored"), ("clap", "cropped")] {
            do throws(MediaError) {
                _ = try hasAlpha(["ispe", type])
                Issue.record("no error")
            } catch {
                guard case .unsupported(let sentence) = error else { throw error }
                #expect(sentence.contains(word))
            }
        }
    }

    @Test("Alpha is told; other properties change nothing")
    func alpha() throws {
        #expect(try hasAlpha(["ispe", "auxC"]))
        #expect(try !hasAlpha(["ispe", "pixi", "av1C", "colr"]))
        #expect(try !hasAlpha([]))
    }
}
