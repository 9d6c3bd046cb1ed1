import Snap
import SnapBase
import TestSupport
import Testing

/// What is chosen where no time is named.
@Suite("Telling frames")
struct TellingFrameTests {
    static let orders: [[Clip.Scene]] = [
        [.rings, .black, .bars, .credits], [.black, .coast, .bars, .credits], [.bars, .credits, .blocks, .black],
        [.credits, .bars, .black, .rings], [.fade, .coast, .credits, .grey], [.grey, .bars, .blurred, .coast],
        [.black, .fade, .bars, .rings, .credits, .black],
    ]

    @Test("Not black, bars, credits, a fade or a blur, wherever the content is", arguments: orders)
    func content(_ scenes: [Clip.Scene]) throws {
        let snapshot = try take(Clip.scenes(scenes))
        #expect(scenes[try scene(of: snapshot)].isContent, "\(snapshot.receipt.choice ?? "")")
        #expect(snapshot.receipt.status == .ok)
    }

    @Test(
        "With one key frame, and that black, a frame further on",
        arguments: [[.black, .rings], [.black, .grey, .coast, .black], [.credits, .coast, .credits]] as [[Clip.Scene]])
    func betweenKeyFrames(_ scenes: [Clip.Scene]) throws {
        let snapshot = try take(Clip.scenes(scenes, keyDistance: 1000))
        #expect(scenes[try scene(of: snapshot)].isContent, "\(snapshot.receipt.choice ?? "")")
    }

    @Test("Bars and credits are better than nothing, and no reason to call the picture poor")
    func onlyBars() throws {
        let snapshot = try take(Clip.scenes([.black, .bars, .black]))
        #expect(try scene(of: snapshot) == 1)
        #expect(snapshot.receipt.status == .ok)
        #expect(try take(Clip.scenes([.black, .grey])).receipt.status == .degraded)
    }

    @Test("Distinct pictures are of different scenes, in the order of the video")
    func distinct() throws {
        let scenes: [Clip.Scene] = [.black, .rings, .rings, .coast, .coast, .coast, .blocks, .bars, .blocks, .credits]
        let reader = try VideoReader(
            .file(try Clip.scenes(scenes).path()), options: VideoOptions(), interrupt: Interrupt())
        let times = try reader.positions(Series(.distinct(3)))
        let found = try times.map { scenes[try scene(at: $0)] }
        #expect(found == [.rings, .coast, .blocks])
        let late = try reader.positions(Series(.distinct(2), from: .seconds(6), to: .seconds(14)))
        #expect(try late.map { scenes[try scene(at: $0)] } == [.coast, .blocks])
    }

    @Test("Where fewer differ, fewer come out")
    func fewer() throws {
        let still = Clip.scenes([.bars, .bars])
        let reader = try VideoReader(.file(try still.path()), options: VideoOptions(), interrupt: Interrupt())
        #expect(try reader.positions(Series(.distinct(5))).count == 1)
        #expect(throws: SnapError.self) { try reader.positions(Series(.distinct(0))) }
        #expect(throws: SnapError.self) { try reader.positions(Series(.distinct(101))) }
    }

    private func take(_ clip: Clip) throws -> Snapshot {
        let reader = try VideoReader(.file(try clip.path()), options: VideoOptions(), interrupt: Interrupt())
        return try reader.snapshot(at: try reader.moment(.representative), options: SnapshotOptions())
    }

    private func scene(of snapshot: Snapshot) throws -> Int {
        try scene(at: .time(try #require(snapshot.receipt.actual?.time)))
    }

    private func scene(at position: Position) throws -> Int {
        guard case .time(let time) = position else {
            Issue.record("not a time: \(position)")
            return -1
        }
        return Int(time.milliseconds) / 2000
    }
}
