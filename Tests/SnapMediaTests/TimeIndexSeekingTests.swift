import SnapBase
import SnapMedia
import TestSupport
import Testing

/// What comes out may not depend on what an index says: an index is only a way to get there.
@Suite("Frames are the same with an index, whatever it says")
struct TimeIndexSeekingTests {
    static let clips: [Clip] = [
        .ts, .openGOPInTS, .hevcInTS, .mpeg2InTS, .transportWrap, .keyFramesInTS, .mkvPiped, .webmLive, .rawH264,
        .rawHEVC,
    ]

    @Test("Cold, warm, and grown by visits in any order", arguments: clips)
    func visits(_ clip: Clip) throws {
        let plain = try Reference(clip)
        var random = SeededRandom(seed: 17)
        var index: TimeIndex?
        for question in plain.questions.shuffled(using: &random).prefix(50) {
            let indexer = TimeIndexer(knowing: index)
            let seeker = try clip.seeker(indexer)
            #expect(try question.ask(seeker).samples() == plain.answer(to: question), "\(question)")
            index = seeker.takeLearnedIndex() ?? index
        }
        #expect(index != nil)
        let seeker = try clip.seeker(TimeIndexer(knowing: index))
        for question in plain.questions.shuffled(using: &random) {
            #expect(try question.ask(seeker).samples() == plain.answer(to: question), "\(question), one visit")
        }
    }

    @Test("With an index that lies about places, times and checksums", arguments: clips, 0..<6)
    func lies(_ clip: Clip, _ kind: Int) throws {
        let plain = try Reference(clip)
        let whole = try clip.wholeIndex()
        var forged = TimeIndex(whole.stream)
        let tick = max(1, (whole.keys.last.map { $0.presentation - whole.keys[0].presentation } ?? 1) / 40)
        for (place, key) in whole.keys.enumerated() {
            var key = key
            switch kind {
            case 0: key.offset += 188
            case 1: key.offset += 4 << 20
            case 2: key.presentation += tick
            case 3: key.checksum = 1
            case 4: if place % 2 == 1 { continue }  // and says that there is nothing between
            default: key.offset = max(0, key.offset - 1000)
            }
            if place + 1 < whole.keys.count {
                key.reach =
                    kind == 4 && place + 2 < whole.keys.count
                    ? whole.keys[place + 2].presentation : whole.keys[place + 1].presentation
            }
            key.reach = max(key.reach, key.presentation)
            _ = forged.learn(key)
        }
        var random = SeededRandom(seed: 23)
        for question in plain.questions.shuffled(using: &random).prefix(12) {
            let seeker = try clip.seeker(TimeIndexer(knowing: forged))
            #expect(try question.ask(seeker).samples() == plain.answer(to: question), "\(question)")
        }
    }

    @Test("With the index of another file", arguments: clips)
    func foreign(_ clip: Clip) throws {
        let plain = try Reference(clip)
        var random = SeededRandom(seed: 29)
        for other in Self.clips where other.fileExtension == clip.fileExtension && other.name != clip.name {
            let index = try other.wholeIndex()
            for question in plain.questions.shuffled(using: &random).prefix(6) {
                let seeker = try clip.seeker(TimeIndexer(knowing: index))
                #expect(try question.ask(seeker).samples() == plain.answer(to: question), "\(question), \(other)")
            }
        }
    }

    @Test("It leads straight to the frame", arguments: clips)
    func gain(_ clip: Clip) throws {
        let index = try clip.wholeIndex()
        #expect(index.end != nil && index.keys.count >= 3)
        let indexer = TimeIndexer(knowing: index)
        let seeker = try clip.seeker(indexer)
        _ = try seeker.frame(number: 40)
        #expect(indexer.wasUsed && !indexer.wasWrong || !index.keys.contains { $0.number ?? 0 > 0 })
        #expect(seeker.statistics.framesDecoded <= 20 || !index.keys.contains { $0.number ?? 0 > 0 })
        #expect(seeker.takeLearnedIndex() == nil)
    }

    @Test(
        "A container with an index of its own, or with times that depend on where reading begins, is left alone",
        arguments: [Clip.h264, .fragmentedWithSIDX, .h264InFLV, .theora, .mpeg4InAVI, .mpeg2InPS, .rawMPEG2])
    func unneeded(_ clip: Clip) throws {
        let seeker = try clip.seeker(TimeIndexer())
        _ = try seeker.frame(shownAt: try seeker.end() / 2)
        _ = try seeker.frame(number: 50)
        #expect(seeker.takeLearnedIndex() == nil)
    }
}

/// What can be asked for.
private enum Question: CustomStringConvertible {
    case time(Int64)
    case number(Int)
    case last
    case middle
    case key(Int64)

    func ask(_ seeker: FrameSeeker) throws -> FoundFrame {
        switch self {
        case .time(let time): return try seeker.frame(shownAt: time)
        case .number(let number): return try seeker.frame(number: number)
        case .last: return try seeker.lastFrame()
        case .middle: return try seeker.frame(shownAt: seeker.origin + (try seeker.end() - seeker.origin) / 2)
        case .key(let time):
            if let key = try seeker.keyFrame(near: time, earliest: nil, latest: nil) { return key }
            return try seeker.frame(shownAt: time)
        }
    }

    var description: String {
        switch self {
        case .time(let time): "time \(time)"
        case .number(let number): "number \(number)"
        case .last: "last"
        case .middle: "middle"
        case .key(let time): "key \(time)"
        }
    }
}

/// What comes out without an index, of a seeker for each question.
private final class Reference {
    private let clip: Clip
    let questions: [Question]
    private var answers: [String: Samples] = [:]

    init(_ clip: Clip) throws {
        self.clip = clip
        let seeker = try clip.seeker(nil)
        let count = clip.facts.frameCount
        let step = max((try seeker.end() - seeker.origin) / Int64(count), 1)
        let times = (0..<count).map { seeker.origin + Int64($0) * step }
        questions =
            times.flatMap { [.time($0), .time($0 - 1), .time($0 + step / 2)] } + (0..<count).map { .number($0) }
            + [.last, .middle, .number(count + 10)] + times.filter { $0 % 3 == 0 }.map { .key($0) }
    }

    func answer(to question: Question) throws -> Samples {
        if let answer = answers[question.description] { return answer }
        let answer = try question.ask(clip.seeker(nil)).samples()
        answers[question.description] = answer
        return answer
    }
}

extension Clip {
    fileprivate func seeker(_ indexer: TimeIndexer?) throws -> FrameSeeker {
        try FrameSeeker(
            MemoryByteSource(bytes()), options: DecodingOptions(), indexer: indexer, interrupt: Interrupt())
    }

    /// What visits of every frame and of the end learn.
    fileprivate func wholeIndex() throws -> TimeIndex {
        let seeker = try seeker(TimeIndexer())
        _ = try seeker.frame(number: facts.frameCount + 1)
        _ = try seeker.lastFrame()
        return try #require(seeker.takeLearnedIndex())
    }
}
