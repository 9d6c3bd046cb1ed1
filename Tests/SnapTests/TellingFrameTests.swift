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

    @Test("A fade and bars differ most from every scene, and come only when no scene is left")
    func distinctScenes() throws {
        let scenes: [Clip.Scene] = [.fade, .rings, .bars, .rings, .coast, .fade, .coast, .bars]
        let reader = try VideoReader(
            .file(try Clip.scenes(scenes).path()), options: VideoOptions(), interrupt: Interrupt())
        let found = try reader.positions(Series(.distinct(3))).map { scenes[try scene(at: $0)] }
        #expect(found.count == 3 && Set(found) == [.rings, .coast])
        let all = try reader.positions(Series(.distinct(30))).map { scenes[try scene(at: $0)] }
        #expect(Set(all) == [.fade, .rings, .bars, .coast])
    }

    @Test("The middle of a fade is one, where the scene itself is in the video")
    func halfFaded() throws {
        let scenes: [Clip.Scene] = [.halfFade, .rings, .coast, .halfFade]
        let reader = try VideoReader(
            .file(try Clip.scenes(scenes).path()), options: VideoOptions(), interrupt: Interrupt())
        for count in 2...4 {
            let found = try reader.positions(Series(.distinct(count))).map { scenes[try scene(at: $0)] }
            #expect(found.count == count && Set(found) == [.rings, .coast])
        }
        // Without the scene, it is all that there is to see of it.
        let alone = try VideoReader(
            .file(try Clip.scenes([.halfFade, .coast, .halfFade]).path()), options: VideoOptions(),
            interrupt: Interrupt())
        #expect(Set(try alone.positions(Series(.distinct(2))).map { try scene(at: $0) }).count == 2)
    }

    @Test("Where fewer differ, fewer come out")
    func fewer() throws {
        let still = Clip.scenes([.bars, .bars])
        let reader = try VideoReader(.file(try still.path()), options: VideoOptions(), interrupt: Interrupt())
        #expect(try reader.positions(Series(.distinct(5))).count == 1)
        #expect(throws: SnapError.self) { try reader.positions(Series(.distinct(0))) }
        #expect(throws: SnapError.self) { try reader.positions(Series(.distinct(101))) }
    }

    /// A clip with a range of its bytes, in parts of 100, that can't be read.
    private func source(
        _ clip: Clip, without parts: Range<Int>, beyond: @escaping @Sendable () throws -> Void
    ) throws -> Source {
        let bytes = try clip.bytes()
        let range = bytes.count * parts.lowerBound / 100..<bytes.count * parts.upperBound / 100
        return .scripted(size: Int64(bytes.count)) { buffer, offset in
            if range.contains(Int(offset)) { try beyond() }
            let most = Int(offset) < range.lowerBound ? range.lowerBound - Int(offset) : buffer.count
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(most))
            return ScriptedSource.copy(bytes, part, offset)
        }
    }

    /// Two key frames, with what lies between them in the middle of the file.
    static let twoKeys = Clip.scenes([.rings, .coast, .rings], keyDistance: 100)

    @Test("Frames that can't be read are passed over while others can, and else the reason is told")
    func unreadable() throws {
        let fail: @Sendable () throws -> Void = { throw ByteSourceTests.Broken() }
        let taken = try snapshot(of: try source(Self.twoKeys, without: 25..<50, beyond: fail), at: .representative)
        #expect(taken.receipt.status == .ok && taken.receipt.choice?.contains("most telling of") == true)
        let error = failure(of: try source(Self.twoKeys, without: 1..<90, beyond: fail), at: .representative)
        #expect(error?.code == .notReadable && error?.message.contains("the shelf is empty") == true)
    }

    @Test("Who cancels while frames are looked at gets no picture")
    func cancelled() throws {
        let interrupt = Interrupt()
        let source = try source(Self.twoKeys, without: 25..<50) { interrupt.cancel() }
        #expect(failure(of: source, at: .representative, interrupt: interrupt)?.code == .cancelled)
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
