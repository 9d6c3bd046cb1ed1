import Foundation
import Snap
import SnapBase
import Synchronization
import TestSupport
import Testing

/// One video, many tasks: in turn, cancelled, in order.
@Suite("One video and many tasks")
final class SharedVideoTests: Sendable {
    private let clip = Clip.ffv1
    /// 0.3 s, and what it takes to get a turn on a machine where other tests run.
    private static let patience = Duration.milliseconds(300) + .seconds(2)
    /// What it takes a task to go on where other tests keep its threads busy; far less than work that is not stopped.
    private static let turn = Duration.seconds(25)
    /// When the work stopped. Not when the task went on: other tests may keep its threads busy for seconds.
    private let stopped = Mutex<ContinuousClock.Instant?>(nil)

    /// A video whose bytes come slowly once asked to, so that there is a middle to be cancelled in.
    ///
    /// Not inlined: Swift 6.3.1 crashes in optimizing what becomes of it (`CoroSplit`, "splitting coroutine").
    @inline(never)
    private func slowVideo(_ isSlow: Switch) async throws -> Video {
        let bytes = try clip.bytes()
        return try await Video(
            .custom(name: "slow") { interrupt in
                ScriptedSource(size: Int64(bytes.count)) { buffer, offset in
                    let deadline = ContinuousClock.now + .seconds(60)
                    while isSlow.value, ContinuousClock.now < deadline {
                        if interrupt.reason != nil { self.stopped.withLock { $0 = $0 ?? .now } }
                        try interrupt.check()
                        usleep(5_000)
                    }
                    return ScriptedSource.copy(
                        bytes, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(4096)), offset)
                }
            }, options: .oneThread)
    }

    @Test("A cancelled task ends within 0.3 s, and the video can be used further")
    func cancelledWhileReading() async throws {
        let isSlow = Switch(false)
        let video = try await slowVideo(isSlow)
        for number in [10, 40, 25] {
            isSlow.value = true
            let task = Task { [clip] in try await video.snapshot(at: .time(clip.facts.time(ofFrame: number))) }
            try await Task.sleep(for: .milliseconds(60))
            stopped.withLock { $0 = nil }
            let start = ContinuousClock.now
            task.cancel()
            let result = await task.result
            // Work that had not begun is given up without having been stopped.
            if let stopped = stopped.withLock({ $0 }) { #expect(stopped - start < Self.patience) }
            #expect(throws: SnapError.self) { try result.get() }
            if case .failure(let error as SnapError) = result {
                #expect(error.code == .cancelled && error.exitCode == 130)
            }
            isSlow.value = false
            for next in [number, number + 1, 5] {
                let snapshot = try await video.snapshot(at: .time(clip.facts.time(ofFrame: next)))
                #expect(clip.number(in: snapshot.picture.rgb) == next && snapshot.receipt.status == .ok)
            }
        }
    }

    @Test("Cancelled at any moment of decoding, the next answer is right")
    func cancelledWhileDecoding() async throws {
        let video = try await Video(.file(clip.path()), options: .oneThread)
        for round in 0..<25 {
            let number = (round * 23) % 59
            let task = Task { [clip] in try await video.snapshot(at: .time(clip.facts.time(ofFrame: number))) }
            try await Task.sleep(for: .microseconds(400 * round))
            task.cancel()
            if case .success(let snapshot) = await task.result {
                #expect(clip.number(in: snapshot.picture.rgb) == number)
            }
            let next = min(number + round % 3, 59)
            let snapshot = try await video.snapshot(at: .time(clip.facts.time(ofFrame: next)))
            #expect(clip.number(in: snapshot.picture.rgb) == next && snapshot.receipt.status == .ok, "round \(round)")
        }
    }

    @Test("Who waits behind somebody else's long work leaves at once when cancelled, and harms nobody")
    func cancelledInTheQueue() async throws {
        let isSlow = Switch(false)
        let video = try await slowVideo(isSlow)
        isSlow.value = true
        let first = Task { [clip] in try await video.snapshot(at: .time(clip.facts.time(ofFrame: 50))) }
        try await Task.sleep(for: .milliseconds(50))
        let second = Task { [clip] in try await video.snapshot(at: .time(clip.facts.time(ofFrame: 7))) }
        try await Task.sleep(for: .milliseconds(50))
        let start = ContinuousClock.now
        second.cancel()
        let result = await second.result
        #expect(ContinuousClock.now - start < Self.turn)
        #expect((try? result.get()) == nil)
        isSlow.value = false
        #expect(clip.number(in: try await first.value.picture.rgb) == 50)
    }

    @Test("A task that was cancelled before it asked gets no picture")
    func cancelledBefore() async throws {
        let video = try await Video(.file(clip.path()), options: .oneThread)
        let task = Task { [clip] in
            while !Task.isCancelled { await Task.yield() }
            return try await video.snapshot(at: .time(clip.facts.time(ofFrame: 9)))
        }
        task.cancel()
        await #expect(throws: SnapError.self) { try await task.value }
        #expect(clip.number(in: try await video.snapshot(at: .start).picture.rgb) == 0)
    }

    @Test("Fifty tasks at once each get their own frame")
    func concurrent() async throws {
        let clip = Clip.moovFirst
        let video = try await Video(.file(clip.path()), options: .oneThread)
        await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let snapshot = try await video.snapshot(at: .time(clip.facts.time(ofFrame: number)))
                    return clip.number(in: snapshot.picture.rgb) == number
                }
            }
            await #expect(throws: Never.self) { for try await isRight in group { #expect(isRight) } }
        }
    }

    @Test("Many pictures come in the order asked for, failures between them")
    func order() async throws {
        let clip = Clip.moovFirst
        let video = try await Video(.file(clip.path()), options: .oneThread)
        var options = SnapshotOptions()
        options.isStrict = true
        let positions: [Position] = [
            .seconds(2), .seconds(50), .start, .frame(7), .end, .milliseconds(1500), .seconds(99), .percent(50), .start,
        ]
        let expected: [Int?] = [50, nil, 0, 7, 59, 37, nil, 30, 0]
        for order in [SnapshotOrder.asAsked, .byTime] {
            var numbers: [Int: Int?] = [:]
            var indices: [Int] = []
            for await element in video.snapshots(at: positions, options: options, order: order) {
                indices.append(element.index)
                #expect(element.position == positions[element.index])
                switch element.result {
                case .success(let snapshot): numbers[element.index] = clip.number(in: snapshot.picture.rgb)
                case .failure(let error):
                    #expect(error.code == .pastTheEnd)
                    numbers[element.index] = .some(nil)
                }
            }
            #expect(indices.sorted() == Array(positions.indices))
            if order == .asAsked { #expect(indices == Array(positions.indices)) }
            #expect(positions.indices.map { numbers[$0] ?? -1 } == expected)
        }
    }

    @Test("A broken-off iteration keeps nothing open: the source goes with the last user of the video")
    func brokenOff() async throws {
        let clip = Clip.moovFirst
        let bytes = try clip.bytes()
        let isClosed = Switch(false)
        do {
            let video = try await Video(
                .custom(name: "watched") { _ in
                    let end = AtEnd { isClosed.value = true }
                    return ScriptedSource(size: Int64(bytes.count)) { buffer, offset in
                        withExtendedLifetime(end) { ScriptedSource.copy(bytes, buffer, offset) }
                    }
                }, options: .oneThread)
            for await element in video.snapshots(at: [.seconds(2), .start, .end]) {
                #expect(element.index == 0)
                break
            }
            #expect(clip.number(in: try await video.snapshot(at: .seconds(1)).picture.rgb) == 25)
            #expect(!isClosed.value)
        }
        for _ in 0..<100 where !isClosed.value { try await Task.sleep(for: .milliseconds(10)) }
        #expect(isClosed.value)
    }

    @Test("A cancelled iteration ends with failures, not with an endless wait")
    func cancelledIteration() async throws {
        let isSlow = Switch(false)
        let video = try await slowVideo(isSlow)
        isSlow.value = true
        let task = Task {
            var codes: [SnapError.Code] = []
            for await element in video.snapshots(at: (0..<10).map { .milliseconds($0 * 200) }) {
                if case .failure(let error) = element.result { codes.append(error.code) }
            }
            return codes
        }
        try await Task.sleep(for: .milliseconds(60))
        let start = ContinuousClock.now
        task.cancel()
        let codes = await task.value
        #expect(ContinuousClock.now - start < Self.turn)
        #expect(codes.allSatisfy { $0 == .cancelled })
        isSlow.value = false
        #expect(clip.number(in: try await video.snapshot(at: .start).picture.rgb) == 0)
    }
}

/// A flag that tests turn from another thread.
private final class Switch: Sendable {
    private let state: Mutex<Bool>
    init(_ value: Bool) { state = Mutex(value) }

    var value: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Tells when it is freed.
private final class AtEnd: Sendable {
    private let action: @Sendable () -> Void
    init(_ action: @escaping @Sendable () -> Void) { self.action = action }
    deinit { action() }
}
