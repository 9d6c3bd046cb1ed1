import Foundation
import Snap
import SnapBase
import TestSupport
import Testing

/// Frames that are two fields: what a still of them shows, and which frames it needs.
@Suite("A still of interlaced video shows one instant")
struct FieldTests {
    @Test("The instant of every frame is its first field's, first, last and between", arguments: Clip.combed)
    func firstField(_ clip: Clip) throws {
        for wish in [Deinterlacing.automatic, .always] {
            let receipts = try receipts(of: clip, wish, numbers: clip.facts.numbers)
            #expect(receipts.allSatisfy { $0?.fields == (clip.isTopFirst ? .top : .bottom) })
        }
    }

    @Test("Either field can be asked for: the second one's instant is half a frame later", arguments: Clip.combed)
    func eitherField(_ clip: Clip) throws {
        for (wish, field) in [(Deinterlacing.top, ShownFields.top), (.bottom, .bottom)] {
            let isFirst = (field == .top) == clip.isTopFirst
            let receipts = try receipts(of: clip, wish, numbers: clip.facts.numbers.map { isFirst ? $0 : $0 + 1 })
            #expect(receipts.allSatisfy { $0?.fields == field })
        }
    }

    @Test("What was not taken in fields stays whole, whatever its flag", arguments: Clip.interlaced)
    func wholeFrames(_ clip: Clip) throws {
        let receipts = try receipts(of: clip, .automatic, numbers: clip.facts.numbers)
        #expect(receipts.allSatisfy { $0?.fields == .whole && $0?.isDeinterlaced == false })
    }

    @Test("A field of H.265 that is coded as a picture is shown at full height, at its own time")
    func fieldsAsPictures() throws {
        let (clip, reader) = (Clip.hevcFields, try Clip.hevcFields.open())
        for index in [0, 1, 2, 13, 24, 59, 30] {
            let time = try #require(MediaTime(Int64(index), over: 25))
            let snapshot = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
            #expect((snapshot.picture.width, snapshot.picture.height) == (192, 108))
            #expect(clip.number(in: snapshot.picture.rgb) == index)
            let facts = try #require(snapshot.receipt.picture)
            #expect(facts.fields == nil && facts.notes.contains { $0.contains("each field") })
        }
        #expect(try reader.info().height == 108)
    }

    @Test("Frames of film that was spread over fields come out whole", arguments: Clip.telecined)
    func film(_ clip: Clip) throws {
        let facts = clip.facts
        let film = try FFmpegOracle.pictures(of: try Clip.film.path(), width: facts.width, height: facts.height)
        let reader = try clip.open()
        for index in facts.numbers.indices {
            let snapshot = try reader.snapshot(at: index, of: facts)
            let isWoven = [2, 3].contains(index % 5)
            #expect(snapshot.receipt.picture?.fields == (isWoven ? .matched : .whole), "frame \(index)")
            let likeness = try #require(
                snapshot.picture.rgb.peakSignalToNoise(against: film[facts.numbers[index]]))
            #expect(likeness > 40, "frame \(index): \(likeness) dB")
        }
    }

    @Test("Grain, and detail as fine as a comb, don't make fields of film", arguments: Clip.grainyFilm.indices)
    func grainyFilm(_ index: Int) throws {
        let (name, film, flagged, telecined) = Clip.grainyFilm[index]
        let filmReader = try film.open()
        let truth = try film.facts.numbers.indices.map { try filmReader.snapshot(at: $0, of: film.facts).picture.rgb }
        for (clip, isSpread) in [(flagged, false), (telecined, true)] {
            let reader = try clip.open()
            // The first and the last frame have no neighbours to tell by.
            let inner = clip.facts.numbers.indices.dropFirst().dropLast()
            var rebuilt = 0
            for index in inner {
                let snapshot = try reader.snapshot(at: index, of: clip.facts)
                let isWoven = isSpread && [2, 3].contains(index % 5)
                if snapshot.receipt.picture?.fields == (isWoven ? .matched : .whole) {
                    rebuilt += 1
                    let isSame = snapshot.picture.rgb == truth[clip.facts.numbers[index]]
                    #expect(isSame, "\(name) \(index)")
                } else {
                    #expect(snapshot.receipt.picture?.fields == .top, "\(name) \(index)")
                }
            }
            #expect(8 * rebuilt >= 7 * inner.count, "\(name): \(rebuilt) of \(inner.count)")
        }
    }

    @Test("Pictures of movement are no further from the truth than those of the best filters of ffmpeg")
    func quality() throws {
        var sums = (snap: 0.0, bwdif: 0.0, yadif: 0.0)
        for (name, whole, fields) in Clip.motion {
            let (width, height) = (fields.facts.width, fields.facts.height)
            let truth = try FFmpegOracle.pictures(of: try whole.path(), width: width, height: height)
            let others = try ["bwdif", "yadif"].map {
                try FFmpegOracle.pictures(
                    of: try fields.path(), width: width, height: height, filter: $0 + "=mode=send_frame")
            }
            let reader = try fields.open()
            var mean = [0.0, 0.0, 0.0]
            for index in fields.facts.numbers.indices {
                let snapshot = try reader.snapshot(at: index, of: fields.facts)
                #expect(snapshot.receipt.picture?.fields == .top)
                for (place, picture) in [snapshot.picture.rgb, others[0][index], others[1][index]].enumerated() {
                    let likeness = try #require(picture.peakSignalToNoise(against: truth[2 * index]))
                    mean[place] += min(likeness, 60) / Double(fields.facts.frameCount)
                }
            }
            #expect(mean[0] > max(mean[1], mean[2]) - 0.5, "\(name): \(mean)")
            sums = (sums.snap + mean[0], sums.bwdif + mean[1], sums.yadif + mean[2])
        }
        #expect(sums.snap >= sums.bwdif && sums.snap > sums.yadif, "\(sums)")
    }

    @Test("A packet with one field of a pair doesn't give half a frame", arguments: Clip.fieldPictures)
    func fieldPictures(_ clip: Clip) throws {
        let count = clip.facts.frameCount
        let reader = try clip.open()
        var off = SnapshotOptions()
        off.deinterlacing = .never
        for number in [0, 6, 13] {
            let coded = try reader.snapshot(at: try reader.moment(.frame(number)), options: off)
            #expect(clip.number(in: coded.picture.rgb) == number)
            #expect(coded.receipt.picture?.fields == .coded)
        }
        for number in Array(0..<count) + [7, 3, 19, 0] {
            let snapshot = try reader.snapshot(at: try reader.moment(.frame(number)), options: SnapshotOptions())
            #expect(snapshot.receipt.status == .ok && snapshot.receipt.picture?.fields == .whole)
            let drawn = FrameNumberPattern.picture(of: number, width: 192, height: 96)
            for rows in [0, 1] {
                let likeness = snapshot.picture.rgb.greenLikeness(to: drawn, everyOtherRowFrom: rows)
                #expect(likeness > 40, "frame \(number), rows from \(rows): \(likeness) dB")
            }
        }
        if !clip.facts.ticks.isEmpty { _ = try receipts(of: clip, .automatic, numbers: clip.facts.numbers) }
        let last = try reader.snapshot(at: try reader.moment(.end), options: SnapshotOptions())
        #expect(clip.number(in: last.picture.rgb) == count - 1)
    }

    @Test("Both fields of an MPEG-2 frame are in its picture", arguments: Clip.mpeg2FieldPictures)
    func mpeg2FieldPictures(_ clip: Clip) throws {
        try expectWhole(clip, wish: .automatic, fields: .whole)
        try expectWhole(clip, wish: .never, fields: .coded)
        if !clip.facts.ticks.isEmpty { _ = try receipts(of: clip, .automatic, numbers: clip.facts.numbers) }
    }

    @Test("Each field of an MPEG-2 frame is in its own rows", arguments: Clip.unequalFields)
    func rowsOfFields(_ clip: Clip) throws {
        let reader = try clip.open()
        var options = SnapshotOptions()
        options.deinterlacing = .never
        for number in clip.facts.numbers {
            let picture = try reader.snapshot(at: try reader.moment(.frame(number)), options: options).picture.rgb
            let sums = (0...1).map { first in
                stride(from: first, to: picture.height, by: 2).reduce(0) { sum, y in
                    (0..<picture.width).reduce(sum) { $0 + Int(picture[$1, y].green) }
                }
            }
            let lift = Double(sums[1] - sums[0]) / Double(picture.width * picture.height / 2)
            // White has no room above.
            #expect(5...16 ~= (clip.isTopFirst ? lift : -lift), "frame \(number): \(lift)")
        }
    }

    @Test("Film whose fields are repeated by flags has its own times, and no fields", arguments: Clip.softTelecined)
    func softTelecine(_ clip: Clip) throws {
        try expectWhole(clip, wish: .automatic, fields: nil)
        if !clip.facts.ticks.isEmpty { _ = try receipts(of: clip, .automatic, numbers: clip.facts.numbers) }
    }

    @Test("A field whose pair is missing at the end gives no half frame: the last whole one is the end")
    func loneField() throws {
        let frames = try #require(try FFmpegOracle.stream(of: try Clip.loneField.path())).frames.count
        let reader = try Clip.loneField.open()
        for position in [Position.end, .frame(6), .frame(7)] {
            let last = try reader.snapshot(at: try reader.moment(position), options: SnapshotOptions())
            #expect(FrameNumberPattern.number(in: last.picture.rgb) == frames - 1)
            #expect(last.receipt.picture?.fields == .whole)
        }
    }

    @Test("Neighbours cost no second decoding where it is known that there are fields")
    func work() throws {
        let clip = Clip.mpeg2Interlaced
        let reader = try clip.open()
        for index in clip.facts.numbers.indices { _ = try reader.snapshot(at: index, of: clip.facts) }
        #expect(reader.statistics.framesDecoded == clip.facts.frameCount)
        let plain = try clip.open()
        var off = SnapshotOptions()
        off.deinterlacing = .never
        _ = try plain.snapshot(at: try plain.moment(.start), options: off)
        #expect(plain.statistics.framesDecoded == 1)
        // Nothing in an MP4 says so before a frame is decoded: that one is decoded again, and no other.
        let single = try Clip.combedTopFirst.open()
        _ = try single.snapshot(at: 19, of: Clip.combedTopFirst.facts)  // the key frame is number 12
        #expect(single.statistics.framesDecoded <= 1 + 9)
    }

    /// Asks for every frame by its number, in order and not.
    private func expectWhole(_ clip: Clip, wish: Deinterlacing, fields: ShownFields?) throws {
        let truth = try FFmpegOracle.pictures(of: try clip.path(), width: clip.facts.width, height: clip.facts.height)
        let reader = try clip.open()
        var options = SnapshotOptions()
        options.deinterlacing = wish
        for number in clip.facts.numbers + [7, 3, clip.facts.frameCount - 1, 0] {
            let snapshot = try reader.snapshot(at: try reader.moment(.frame(number)), options: options)
            #expect(snapshot.receipt.status == .ok && snapshot.receipt.picture?.fields == fields)
            #expect(clip.number(in: snapshot.picture.rgb) == number)
            let likeness = try #require(snapshot.picture.rgb.peakSignalToNoise(against: truth[number]))
            #expect(likeness > 40, "frame \(number): \(likeness) dB")
        }
        let last = try reader.snapshot(at: try reader.moment(.end), options: options)
        #expect(clip.number(in: last.picture.rgb) == clip.facts.frameCount - 1)
    }

    /// Asks for every frame at its own time, and checks the numbers that the pictures show.
    private func receipts(
        of clip: Clip, _ wish: Deinterlacing, numbers: [Int]
    ) throws -> [PictureFacts?] {
        let reader = try clip.open()
        let taken = try clip.facts.ticks.indices.map { index in
            try reader.snapshot(at: index, of: clip.facts, wish)
        }
        #expect(taken.map { clip.number(in: $0.picture.rgb) } == numbers, "\(wish)")
        return taken.map(\.receipt.picture)
    }
}

extension Clip {
    fileprivate var isTopFirst: Bool { name.contains("top") }
}

extension VideoReader {
    fileprivate func snapshot(
        at index: Int, of facts: ClipFacts, _ wish: Deinterlacing = .automatic
    ) throws -> Snapshot {
        var options = SnapshotOptions()
        options.deinterlacing = wish
        return try snapshot(at: try moment(.time(facts.time(ofFrame: index))), options: options)
    }
}

extension RGBPicture {
    /// The peak signal-to-noise ratio of the green samples of every other row, in dB.
    fileprivate func greenLikeness(to other: RGBPicture, everyOtherRowFrom first: Int) -> Double {
        var (sum, count) = (0, 0)
        for y in stride(from: first, to: height, by: 2) {
            for x in 0..<width {
                let difference = Int(self[x, y].green) - Int(other[x, y].green)
                (sum, count) = (sum + difference * difference, count + 1)
            }
        }
        return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(count) / Double(sum))
    }
}
