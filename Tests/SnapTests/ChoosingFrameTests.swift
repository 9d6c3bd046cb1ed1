import Snap
import SnapBase
import SnapMedia
import TestSupport
import Testing

/// Everything but a plain time: ends, percentages, numbers, tolerances, series, a representative frame.
@Suite("Which frame a position means")
struct ChoosingFrameTests {
    static let clips: [Clip] =
        [
            .h264, .h264OpenGOP, .hevcOpenGOP, .vp9, .av1, .mpeg2InPS, .mpeg2InTS, .mpeg4InAVI, .h264InFLV, .theora,
            .variableRateMP4,
            .editList, .transportOffset, .transportWrap, .audioLonger, .fragmented, .mkvPiped, .oneFrame, .lateStart,
            .wmv2,
            .rawH264,
            .h264InAVI,
        ] + Clip.smallInPS + Clip.untimedStart + Clip.editedFragments

    @Test("start and end are the first and last frame, and neither is called clamped", arguments: clips)
    func ends(_ clip: Clip) throws {
        let reader = try clip.open()
        let last = try take(reader, .end)
        #expect(clip.number(in: last.picture.rgb) == clip.facts.numbers.last)
        #expect(!last.receipt.isClamped)
        let first = try take(reader, .start)
        #expect(clip.number(in: first.picture.rgb) == clip.facts.numbers.first)
        #expect(first.receipt.actual?.time == .zero)
    }

    @Test("Past the end is the last frame, called clamped; an error with isStrict", arguments: clips)
    func pastTheEnd(_ clip: Clip) throws {
        let reader = try clip.open()
        let late = try take(reader, .seconds(1000))
        #expect(clip.number(in: late.picture.rgb) == clip.facts.numbers.last)
        #expect(late.receipt.isClamped)
        var strict = SnapshotOptions()
        strict.isStrict = true
        do throws(SnapError) {
            _ = try reader.snapshot(at: try reader.moment(.seconds(1000)), options: strict)
            Issue.record("no error")
        } catch {
            #expect(error.code == .pastTheEnd)
        }
    }

    @Test(
        "A video that is opened for one key frame gives the same picture of it, and any other too",
        arguments: clips + [.hevc, .ffv1, .prores, .mjpegInMOV])
    func forOneKeyFrame(_ clip: Clip) throws {
        var wishes = SnapshotOptions()
        var pictures: [[Picture]] = []
        for isForOne in [false, true] {
            var options = VideoOptions()
            options.threads = 2
            options.isForOneKeyFrame = isForOne
            let reader = try VideoReader(.file(clip.path()), options: options, interrupt: Interrupt())
            var taken: [Picture] = []
            for tolerance in [Tolerance.any, .exact] {
                wishes.tolerance = tolerance
                taken.append(try reader.snapshot(at: try reader.moment(.percent(60)), options: wishes).picture)
            }
            pictures.append(taken)
        }
        #expect(pictures[0] == pictures[1])
    }

    @Test(
        "Percentages are of the video stream's own length",
        arguments: [Clip.h264, .audioLonger, .emptyEdit, .lateStartMP4, .fragmented, .mpeg4InAVI, .h264InAVI])
    func percentages(_ clip: Clip) throws {
        let reader = try clip.open()
        #expect(try reader.length() == MediaTime(12, over: 5))
        for percent in [0, 1, 25, 50, 99, 100] as [Int64] {
            let number = min(Int(percent * 60 / 100), 59)
            let snapshot = try take(reader, .percent(percent))
            #expect(clip.number(in: snapshot.picture.rgb) == number, "\(percent)%")
        }
        let early = try take(reader, .beforeEnd(MediaTime(1, over: 25)!))
        #expect(clip.number(in: early.picture.rgb) == 59)
        let before = try take(reader, .beforeEnd(MediaTime(2, over: 25)!))
        #expect(clip.number(in: before.picture.rgb) == 58)
    }

    @Test("Frames are counted in presentation order", arguments: clips)
    func numbers(_ clip: Clip) throws {
        let reader = try clip.open()
        for index in [0, 1, 13, 14, 59, 7].filter({ $0 < clip.facts.frameCount }) {
            let snapshot = try take(reader, .frame(index))
            #expect(clip.number(in: snapshot.picture.rgb) == clip.facts.numbers[index], "frame \(index)")
            #expect(!snapshot.receipt.isClamped)
        }
        #expect(try take(reader, .frame(5000)).receipt.isClamped)
    }

    @Test(
        "Any tolerance gives the key frame before, for one decoded picture",
        arguments: [Clip.h264, .h264OpenGOP, .hevc, .mkv, .ts, .fragmented])
    func keyFrames(_ clip: Clip) throws {
        var options = SnapshotOptions()
        options.tolerance = .any
        for index in [0, 5, 11, 12, 13, 30, 47, 48, 59] {
            let reader = try clip.open()
            let before = reader.statistics.framesDecoded
            let time = clip.facts.time(ofFrame: index)
            let snapshot = try reader.snapshot(at: try reader.moment(.time(time)), options: options)
            #expect(snapshot.receipt.isKeyFrame == true)
            #expect(clip.number(in: snapshot.picture.rgb) == index / 12 * 12, "frame \(index)")
            #expect(reader.statistics.framesDecoded - before == 1, "frame \(index)")
        }
    }

    @Test("A key frame whose time the container leaves out is passed over for the one before")
    func untimedKeyFrames() throws {
        let (clip, reader) = (Clip.mpeg2InPS, try Clip.mpeg2InPS.open())
        var options = SnapshotOptions()
        options.tolerance = .any
        for index in [5, 13, 30, 59] {
            let snapshot = try reader.snapshot(
                at: try reader.moment(.time(clip.facts.time(ofFrame: index))), options: options)
            let number = try #require(clip.number(in: snapshot.picture.rgb))
            #expect(number % 12 == 0 && number <= index && snapshot.receipt.isKeyFrame == true)
        }
    }

    @Test(
        "Where no key frame is as near as a tolerance says, the exact frame is given",
        arguments: [Clip.h264, .ts, .openGOPInTS, .mpeg2InPS, .mpeg4InAVI, .mkvPiped, .editList, .rawH264])
    func nothingNear(_ clip: Clip) throws {
        var options = SnapshotOptions()
        options.tolerance = Tolerance(before: MediaTime(1, over: 25)!, after: MediaTime(1, over: 25)!)
        // Each by a reader of its own, and one after the other.
        for indexes in [[5], [15, 5], [8, 5], [40, 5]] {
            let reader = try clip.open()
            for index in indexes {
                let moment = try reader.moment(
                    clip.facts.ticks.isEmpty ? .frame(index) : .time(clip.facts.time(ofFrame: index)))
                let snapshot = try reader.snapshot(at: moment, options: options)
                let number = try #require(clip.number(in: snapshot.picture.rgb))
                #expect(abs(number - clip.facts.numbers[index]) <= 1, "frame \(index)")
            }
        }
    }

    @Test(
        "Parts of a track as an edit list shows them: each time asked for alone, and all in turn",
        arguments: [
            Clip.joinedEdits, .repeatedEdits, .fastEdit, .stillEdit, .halfFrameEdits, .orderedChapters,
            .oneOrderedChapter, .chaptersOfOthers,
        ])
    func edits(_ clip: Clip) throws {
        let all = try clip.open()
        #expect(try all.length() == MediaTime(Int64(clip.facts.frameCount), over: 25))
        for index in clip.facts.numbers.indices.reversed() {
            for reader in [try clip.open(), all] {
                let taken = try take(reader, .time(clip.facts.time(ofFrame: index)))
                #expect(clip.number(in: taken.picture.rgb) == clip.facts.numbers[index], "frame \(index)")
                #expect(!taken.receipt.isClamped && taken.receipt.status == .ok)
                #expect(try #require(taken.receipt.actual?.time) <= clip.facts.time(ofFrame: index))
            }
        }
        let count = clip.facts.frameCount
        // Between the times asked for, twice as fast, there is one more.
        let last = clip.facts.numbers[count - 1] + (clip.name == Clip.fastEdit.name ? 1 : 0)
        let numbers = [clip.facts.numbers[0], clip.facts.numbers[count / 2], last]
        for (position, number) in zip([Position.start, .percent(50), .end], numbers) {
            #expect(clip.number(in: try take(try clip.open(), position).picture.rgb) == number, "\(position)")
        }
        let late = try take(all, .seconds(100))
        #expect(late.receipt.isClamped && clip.number(in: late.picture.rgb) == last)
        #expect(throws: SnapError.self) { try take(all, .frame(3)) }
    }

    @Test("Ordered chapters that show all of a file change nothing; those of other files are left out, with a note")
    func chapters() throws {
        let whole = try Clip.wholeInChapters.open()
        #expect(Clip.wholeInChapters.number(in: try take(whole, .frame(37)).picture.rgb) == 37)
        #expect(try whole.info().edits == 0)
        for (clip, isSaid) in [(Clip.oneOrderedChapter, false), (.chaptersOfOthers, true)] {
            let reader = try clip.open()
            let notes = try #require(try take(reader, .start).receipt.picture?.notes)
            #expect(notes.contains { $0.contains("other files") } == isSaid)
            #expect(try reader.info().edits == 1 && reader.info().description.contains("chapters"))
        }
    }

    @Test(
        "An edit that begins and ends within a frame shows what is left of both",
        arguments: [Clip.halfFrameEdit, .lateHalfFrameEdit])
    func partsOfFrames(_ clip: Clip) throws {
        let reader = try clip.open()
        #expect(try reader.length() == MediaTime(1, over: 5))
        for time in stride(from: Int64(0), to: 200, by: 10) {
            let taken = try take(reader, .time(MediaTime(time, over: 1000)!))
            let number = 7 + (time + 20) / 40
            #expect(clip.number(in: taken.picture.rgb) == Int(number), "at \(time) ms")
            #expect(taken.receipt.actual?.time == MediaTime(max(40 * (number - 7) - 20, 0), over: 1000))
        }
        #expect(clip.number(in: try take(reader, .percent(50)).picture.rgb) == 10)
        #expect(clip.number(in: try take(reader, .end).picture.rgb) == 12)
        #expect(throws: SnapError.self) { try take(reader, .frame(3)) }
    }

    @Test("An edit without a length, or one that is longer than the video, ends with the video")
    func edgesOfEdits() throws {
        for (clip, length) in [
            (Clip.endlessEdit, MediaTime(48, over: 25)), (.longHalfFrameEdit, MediaTime(21, over: 10)),
        ] {
            let reader = try clip.open()
            #expect(try reader.length() == length)
            for (index, number) in clip.facts.numbers.enumerated() where index % 5 == 0 {
                let taken = try take(reader, .time(clip.facts.time(ofFrame: index)))
                #expect(clip.number(in: taken.picture.rgb) == number && taken.receipt.status == .ok)
            }
            for (position, number) in [(Position.end, 59), (.percent(50), clip.name.contains("endless") ? 36 : 33)] {
                let taken = try take(reader, position)
                #expect(clip.number(in: taken.picture.rgb) == number && !taken.receipt.isClamped, "\(clip) \(position)")
            }
            #expect(try take(reader, .seconds(5)).receipt.isClamped)
        }
    }

    @Test("Key frames outside of what an edit list shows are none")
    func keyFramesOfEdits() throws {
        let reader = try Clip.joinedEdits.open()
        var options = SnapshotOptions()
        options.tolerance = .any
        // Of frames 20 to 29 and 5 to 14: key frames are 24 and 12.
        for (index, number) in [(2, 22), (9, 24), (11, 6), (19, 12)] {
            let moment = try reader.moment(.time(Clip.joinedEdits.facts.time(ofFrame: index)))
            let taken = try reader.snapshot(at: moment, options: options)
            #expect(
                Clip.joinedEdits.number(in: taken.picture.rgb) == number
                    && taken.receipt.isKeyFrame == (number % 12 == 0))
        }
        let telling = Clip.joinedEdits.number(in: try take(reader, .representative).picture.rgb)
        #expect(Clip.joinedEdits.facts.numbers.contains(try #require(telling)))
    }

    @Test("Nothing is shown in a gap of an edit list")
    func gapInEdits() throws {
        let (clip, reader) = (Clip.gapInEdits, try Clip.gapInEdits.open())
        for index in clip.facts.numbers.indices where clip.facts.numbers[index] >= 0 {
            let taken = try take(reader, .time(clip.facts.time(ofFrame: index)))
            #expect(clip.number(in: taken.picture.rgb) == clip.facts.numbers[index], "frame \(index)")
        }
        do throws(SnapError) {
            _ = try reader.snapshot(at: try reader.moment(.time(MediaTime(3, over: 5)!)), options: SnapshotOptions())
            Issue.record("no error")
        } catch {
            #expect(error.code == .gap)
        }
    }

    @Test("A tolerance is kept: the key frame in range, before or after, else the exact frame")
    func ranges() throws {
        let (clip, frame) = (Clip.h264, MediaTime(1, over: 25)!)
        let cases: [(asked: Int64, before: Int64, after: Int64, expected: Int)] = [
            (14, 2, 0, 12), (14, 1, 0, 14), (22, 0, 2, 24), (22, 0, 1, 22), (22, 1, 2, 24), (12, 0, 0, 12),
            (23, 11, 0, 12),
        ]
        for (asked, before, after, expected) in cases {
            let reader = try clip.open()
            var options = SnapshotOptions()
            options.tolerance = Tolerance(
                before: frame.scaled(by: before, over: 1), after: frame.scaled(by: after, over: 1))
            let snapshot = try reader.snapshot(
                at: try reader.moment(.time(frame.scaled(by: asked, over: 1))), options: options)
            #expect(clip.number(in: snapshot.picture.rgb) == expected, "asked \(asked) -\(before) +\(after)")
        }
    }

    @Test("A series starts at the range's start; a count takes the middles of equal parts")
    func series() throws {
        let reader = try Clip.h264.open()
        let every = try reader.positions(Series(.every(MediaTime(1, over: 2)!)))
        #expect(every == [0, 500, 1000, 1500, 2000].map { Position.milliseconds($0) })
        let some = try reader.positions(
            Series(.every(MediaTime(seconds: 1)), from: .milliseconds(200), to: .percent(50)))
        #expect(some == [.milliseconds(200)])
        let count = try reader.positions(Series(.count(3)))
        #expect(count == [400, 1200, 2000].map { Position.milliseconds($0) })
        #expect(throws: SnapError.self) { try reader.positions(Series(.count(3), from: .seconds(9))) }
        #expect(throws: SnapError.self) { try reader.positions(Series(.every(.zero))) }
    }

    @Test(
        "Frames that a container calls key, and are none, are not believed", arguments: [Clip.hevc, .h264, .mpeg4InMP4])
    func falseKeyFrames(_ clip: Clip) throws {
        let clip = Clip.withoutKeyTable(clip)
        for index in [5, 14, 23, 40, 59] {
            let reader = try clip.open()
            let snapshot = try take(reader, .time(clip.facts.time(ofFrame: index)))
            #expect(clip.number(in: snapshot.picture.rgb) == index)
        }
    }

    @Test("A key frame for a time past the end is called clamped; in a file cut short it is the last one that is there")
    func lateKeyFrames() throws {
        var options = SnapshotOptions()
        options.tolerance = .any
        for clip in [Clip.h264, .mkv, .ts] {
            let reader = try clip.open()
            let late = try reader.snapshot(at: try reader.moment(.seconds(100)), options: options)
            #expect(late.receipt.isClamped && clip.number(in: late.picture.rgb) == 48)
            let inside = try reader.snapshot(at: try reader.moment(.seconds(2)), options: options)
            #expect(!inside.receipt.isClamped)
        }
    }

    @Test(
        "Behind the cut of a file cut short, key frames and exact frames alike are called truncated, and are near it",
        arguments: [Clip.moovFirst, .mkv, .mjpegInAVI, .mpeg4InAVI], [300, 500, 617, 803])
    func behindTheCut(_ clip: Clip, part: Int) throws {
        let cut = Clip.truncated(clip, toThousandths: part)
        var least = part * 60 / 1000 - 14
        for tolerance in [Tolerance.any, .exact] {
            var options = SnapshotOptions()
            options.tolerance = tolerance
            for hundredths in stride(from: Int64(part * 24 / 100 + 40), to: 232, by: 12) {
                let reader = try cut.open()
                let snapshot = try reader.snapshot(
                    at: try reader.moment(.time(MediaTime(hundredths, over: 100)!)), options: options)
                let number = try #require(clip.number(in: snapshot.picture.rgb))
                #expect(snapshot.receipt.code == "truncated", "at \(hundredths): \(number) \(snapshot.receipt.code)")
                #expect(number >= least, "at \(hundredths)")
                least = max(least, number - 12)
            }
        }
    }

    @Test("Absurd positions are answered, not died of")
    func absurd() throws {
        let reader = try Clip.h264.open()
        #expect(throws: SnapError.self) { try reader.moment(.fraction(1, of: 0)) }
        #expect(try take(reader, .frame(.max)).receipt.isClamped)
        #expect(try take(reader, .frame(.min)).receipt.actual?.time == .zero)
        #expect(try take(reader, .time(MediaTime(seconds: .max))).receipt.isClamped)
        #expect(try take(reader, .time(MediaTime(seconds: .min))).receipt.actual?.time == .zero)
    }

    @Test("A limit holds for each request, not from the opening on")
    func deadlines() throws {
        var options = VideoOptions()
        options.timeout = .milliseconds(1500)
        let reader = try VideoReader(.file(try Clip.h264.path()), options: options, interrupt: Interrupt())
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .milliseconds(1600) { _ = try take(reader, .percent(50)) }
        #expect(try reader.length() == MediaTime(12, over: 5))
        #expect(try !reader.positions(Series(.count(2))).isEmpty)
    }

    @Test("Ascending times decode each group of pictures once")
    func sharesGroups() throws {
        let reader = try Clip.h264.open()
        let moments = try (0..<60).map { try reader.moment(.time(Clip.h264.facts.time(ofFrame: $0))) }
        for (index, moment) in moments.enumerated() {
            let next = index + 1 < moments.count ? moments[index + 1] : nil
            _ = try reader.snapshot(at: moment, next: next, options: SnapshotOptions())
        }
        #expect(reader.statistics.framesDecoded <= 60)
        #expect(reader.statistics.seeks == 0)
    }

    @Test("A single late time decodes its own group of pictures only")
    func seeks() throws {
        let reader = try Clip.h264.open()
        let snapshot = try take(reader, .time(Clip.h264.facts.time(ofFrame: 50)))
        #expect(Clip.h264.number(in: snapshot.picture.rgb) == 50)
        #expect(reader.statistics.framesDecoded <= 5)
    }

    @Test("So does one in a container that lists only what was read of it")
    func seeksWithoutCues() throws {
        let reader = try Clip.mkvPiped.open()
        let snapshot = try take(reader, .time(Clip.mkvPiped.facts.time(ofFrame: 58)))
        #expect(Clip.mkvPiped.number(in: snapshot.picture.rgb) == 58)
        #expect(reader.statistics.framesDecoded <= 12)
    }

    @discardableResult
    private func take(_ reader: VideoReader, _ position: Position) throws -> Snapshot {
        try reader.snapshot(at: try reader.moment(position), options: SnapshotOptions())
    }
}
