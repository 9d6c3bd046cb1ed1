import Testing

@testable import SnapMedia

/// Each case in packets sent and frames that come, as a decoder would have it.
@Suite("Which frames lost data")
struct DamageTrackerTests {
    private func damaged(_ tracker: inout DamageTracker, _ frames: [(time: Int64, isKey: Bool)]) -> [Int64] {
        frames.filter { tracker.isDamaged($0.time, isKey: $0.isKey, isFlagged: false) }.map(\.time)
    }

    @Test("A key frame ends the damage of what is shown before it, and not its own")
    func keys() {
        var tracker = DamageTracker(framesAtWork: 2)
        tracker.sent(0, isKey: true)
        tracker.pictureSpoilt(packetsAgo: 0)
        for time in 1...2 { tracker.sent(Int64(time), isKey: false) }
        tracker.sent(3, isKey: true)
        tracker.sent(4, isKey: false)
        tracker.pictureSpoilt(packetsAgo: 1)
        tracker.sent(5, isKey: true)
        #expect(
            damaged(&tracker, [(0, true), (1, false), (2, false), (3, true), (4, false), (5, true), (6, false)])
                == [0, 1, 2, 3, 4])
    }

    @Test("What is shown before a damaged key frame and decoded after it is damaged, and so is the key frame")
    func leading() {
        var tracker = DamageTracker(framesAtWork: 1)
        for (time, isKey) in [(Int64(0), true), (5, true)] { tracker.sent(time, isKey: isKey) }
        tracker.pictureSpoilt(packetsAgo: 0)
        for time in [Int64(3), 4, 6] { tracker.sent(time, isKey: false) }
        #expect(damaged(&tracker, [(0, true), (3, false), (4, false), (5, true), (6, false)]) == [3, 4, 5, 6])
    }

    @Test("A key frame that is shown again in another packet ends no damage")
    func shownAgain() {
        for (showsFramesAgain, expected) in [(true, [2, 3, 4, 5] as [Int64]), (false, [2, 3])] {
            var tracker = DamageTracker(framesAtWork: 1, showsFramesAgain: showsFramesAgain)
            for time in Int64(0)...2 { tracker.sent(time, isKey: time == 0) }
            tracker.packetRefused()
            for time in Int64(3)...7 { tracker.sent(time, isKey: time == 6) }
            #expect(
                damaged(
                    &tracker,
                    [(0, true), (1, false), (2, false), (3, false), (4, true), (5, true), (6, true), (7, false)])
                    == expected)
        }
    }

    @Test("Without times, the order of key frames tells")
    func untimed() {
        var tracker = DamageTracker(framesAtWork: 2)
        for number in 0..<6 {
            tracker.sent(nil, isKey: number % 3 == 0)
            if number == 3 { tracker.pictureSpoilt(packetsAgo: 0) }
        }
        // The first group comes late: which of its frames are sound is not known.
        #expect(
            damaged(&tracker, [(0, true), (1, false), (2, false), (3, true), (4, false), (5, false)]).suffix(3) == [
                3, 4, 5,
            ])
        tracker.sent(nil, isKey: true)
        #expect(damaged(&tracker, [(6, true), (7, false)]) == [])
    }

    @Test("Times that begin anew don't prolong damage for ever")
    func restartedTimes() {
        var tracker = DamageTracker(framesAtWork: 1)
        tracker.sent(1000, isKey: true)
        tracker.pictureSpoilt(packetsAgo: 0)
        for time in [Int64(0), 10, 20] { tracker.sent(time, isKey: true) }
        #expect(damaged(&tracker, [(1000, true), (0, true), (10, true), (20, true)]) == [1000, 0])
    }

    @Test("A refused packet damages what follows, though a key frame before it is still to come")
    func refusal() {
        var tracker = DamageTracker(framesAtWork: 1)
        tracker.sent(0, isKey: true)
        tracker.sent(4, isKey: true)
        tracker.sent(7, isKey: false)
        tracker.packetRefused()
        tracker.sent(9, isKey: false)
        #expect(damaged(&tracker, [(0, true), (4, true), (9, false)]) == [9])
        #expect(tracker.isMissing(after: 4, notAfter: 8))
        tracker.sent(12, isKey: true)
        #expect(damaged(&tracker, [(12, true)]) == [])
    }

    @Test("A refused key packet has no frame that could end its damage")
    func refusedKey() {
        var tracker = DamageTracker(framesAtWork: 1)
        for number in 0..<4 {
            tracker.sent(nil, isKey: true)
            if number == 1 { tracker.packetRefused() }
            #expect(damaged(&tracker, number == 1 ? [] : [(Int64(number), true)]) == [])
        }
    }

    @Test("Any number of losses is one damage")
    func many() {
        var tracker = DamageTracker(framesAtWork: 1)
        tracker.sent(0, isKey: true)
        for time in 1...1000 {
            tracker.sent(Int64(time), isKey: false)
            tracker.pictureSpoilt(packetsAgo: 0)
        }
        #expect(tracker.start == 1)
        tracker.sent(1001, isKey: true)
        #expect(damaged(&tracker, [(0, true), (1, false), (1000, false), (1001, true), (1002, false)]) == [1, 1000])
    }
}
