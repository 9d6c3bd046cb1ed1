import SnapBase
import TestSupport
import Testing

@testable import SnapMedia

@Suite("Where time begins in an MP4, told without reading a frame")
struct ListedOriginTests {
    @Test("What the list says is when the first frame comes", arguments: Clip.exact.filter { !$0.facts.ticks.isEmpty })
    func agrees(_ clip: Clip) throws {
        let source = MemoryByteSource(try clip.bytes())
        var demuxer = try Demuxer(source, interrupt: Interrupt())
        guard let listed = try demuxer.listedOrigin() else { return }
        var times: [Int64] = []
        while times.count < 20, let packet = try demuxer.nextPacket() {
            #expect(!packet.isDiscarded)
            times.append(try #require(packet.presentation))
        }
        #expect(times.first == listed && times.min() == listed)
    }

    @Test("Plain files have one", arguments: [Clip.h264, .h264OpenGOP, .hevc, .av1, .moovLast, .prores])
    func exists(_ clip: Clip) throws {
        let demuxer = try Demuxer(MemoryByteSource(try clip.bytes()), interrupt: Interrupt())
        #expect(try demuxer.listedOrigin() != nil)
    }
}
