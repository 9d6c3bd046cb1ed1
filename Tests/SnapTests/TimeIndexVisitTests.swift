import Foundation
import Snap
import SnapBase
import Synchronization
import TestSupport
import Testing

/// An index on disk, from one visit of a file to the next.
@Suite("A file visited again is found by its time index")
struct TimeIndexVisitTests {
    private static let clips: [Clip] = [.ts, .hevcInTS, .mpeg2InTS, .mkvPiped, .rawH264, .rawHEVC]

    private func options(_ place: TimeIndexPlace) -> VideoOptions {
        var options = VideoOptions()
        options.threads = 1
        options.timeIndex = place
        return options
    }

    private func snapshot(_ path: String, _ position: Position, _ place: TimeIndexPlace) throws -> Snapshot {
        let reader = try VideoReader(.file(path), options: options(place), interrupt: Interrupt())
        return try reader.snapshot(at: try reader.moment(position), options: SnapshotOptions())
    }

    @Test("Every frame, each by a visit of its own", arguments: clips)
    func visits(_ clip: Clip) throws {
        let folder = try TemporaryDirectory()
        let place = TimeIndexPlace.folder(folder.path("index"))
        var random = SeededRandom(seed: 31)
        for number in clip.facts.numbers.indices.shuffled(using: &random) {
            let snapshot = try snapshot(clip.path(), .frame(number), place)
            #expect(clip.number(in: snapshot.picture.rgb) == clip.facts.numbers[number], "frame:\(number)")
        }
        #expect(try folder.files().count == 1)
    }

    @Test("The first visit writes it, the second reads it, and the end is known", arguments: clips)
    func receipts(_ clip: Clip) throws {
        let folder = try TemporaryDirectory()
        let place = TimeIndexPlace.folder(folder.path("index"))
        let first = try snapshot(clip.path(), .percent(50), place)
        let second = try snapshot(clip.path(), .percent(50), place)
        #expect(first.receipt.timeIndex == .written && second.receipt.timeIndex == .read)
        #expect(first.picture.bytes == second.picture.bytes)
        #expect(clip.number(in: second.picture.rgb) == clip.number(in: first.picture.rgb))
        #expect(first.receipt.json.contains(#""timeIndex":"written""#))
    }

    @Test("Without the option there is none, and the receipt says null")
    func off() throws {
        let reader = try Clip.ts.open()
        let snapshot = try reader.snapshot(at: try reader.moment(.percent(50)), options: SnapshotOptions())
        #expect(snapshot.receipt.timeIndex == nil && snapshot.receipt.json.contains(#""timeIndex":null"#))
    }

    @Test("Beside the file it lies beside the file, and may be taken elsewhere with it")
    func beside() throws {
        let (folder, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        try folder.write(Clip.ts.bytes(), to: "a.ts")
        #expect(try snapshot(folder.path("a.ts"), .end, .beside).receipt.timeIndex == .written)
        #expect(try folder.files() == ["a.ts", "a.ts.snapindex"])
        for name in try folder.files() {
            try FileManager.default.moveItem(atPath: folder.path(name), toPath: other.path(name))
        }
        #expect(try snapshot(other.path("a.ts"), .end, .beside).receipt.timeIndex == .read)
    }

    @Test("What is no index is not read, and replaced", arguments: [0, 1, 2, 3])
    func garbage(_ kind: Int) throws {
        let folder = try TemporaryDirectory()
        try folder.write(Clip.ts.bytes(), to: "a.ts")
        let path = folder.path("a.ts")
        _ = try snapshot(path, .end, .beside)
        let good = try folder.read("a.ts.snapindex")
        switch kind {
        case 0: try folder.write([], to: "a.ts.snapindex")
        case 1: try folder.write(Array(good.dropLast(9)), to: "a.ts.snapindex")
        case 2: try folder.write((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 77) }, to: "a.ts.snapindex")
        default: try folder.write(Array(good[..<8]) + good[8...].map { $0 ^ 0x55 }, to: "a.ts.snapindex")
        }
        let again = try snapshot(path, .end, .beside)
        #expect(Clip.ts.number(in: again.picture.rgb) == 59 && again.receipt.timeIndex == .written)
        #expect(try folder.read("a.ts.snapindex") == good)
    }

    @Test("A file that changed is a new one")
    func stale() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Clip.ts.bytes(), to: "a.ts")
        _ = try snapshot(folder.path("a.ts"), .percent(50), .beside)
        try folder.write(Clip.mpeg2InTS.bytes(), to: "a.ts")
        let other = try snapshot(folder.path("a.ts"), .end, .beside)
        #expect(Clip.mpeg2InTS.number(in: other.picture.rgb) == 59 && other.receipt.timeIndex == .written)
    }

    /// Nothing but its bytes tells that the file is another one.
    @Test(
        "A file replaced by another of its length and time still gives its own frames",
        arguments: [(Clip.ts, Clip.transportOffset), (.mpeg2InTS, .ts), (.openGOPInTS, .ts), (.rawH264, .rawHEVC)])
    func replaced(_ before: Clip, _ after: Clip) throws {
        let folder = try TemporaryDirectory()
        let size = max(try before.bytes().count, try after.bytes().count)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        func put(_ clip: Clip) throws {
            let bytes = try clip.bytes()
            // Null packets of a transport stream; zeros may follow a raw one.
            let packet: [UInt8] = [0x47, 0x1f, 0xff, 0x10] + [UInt8](repeating: 0xff, count: 184)
            let isRaw = clip.facts.ticks.isEmpty
            let padding = (0..<size - bytes.count).map { isRaw ? 0 : packet[$0 % 188] }
            try folder.write(bytes + padding, to: "a.bin")
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path("a.bin"))
        }
        try put(before)
        for position in [Position.percent(50), .frame(50), .end] {
            _ = try snapshot(folder.path("a.bin"), position, .beside)
        }
        #expect(try snapshot(folder.path("a.bin"), .percent(50), .beside).receipt.timeIndex == .read)
        let known = try folder.read("a.bin.snapindex")
        for (position, number) in [
            (Position.frame(40), 40), (.end, 59), (.percent(50), 30), (.milliseconds(500), 12),
        ] {
            try put(after)
            try folder.write(known, to: "a.bin.snapindex")
            let snapshot = try snapshot(folder.path("a.bin"), position, .beside)
            #expect(after.number(in: snapshot.picture.rgb) == number, "\(position)")
        }
    }

    @Test("Many visits at once leave a whole index")
    func together() async throws {
        let folder = try TemporaryDirectory()
        let place = TimeIndexPlace.folder(folder.path("index"))
        let clip = Clip.ts
        try await withThrowingTaskGroup { group in
            for number in 0..<24 {
                let options = options(place)
                group.addTask {
                    let video = try await Video(.file(try clip.path()), options: options)
                    let snapshot = try await video.snapshot(at: number % 3 == 0 ? .percent(50) : .frame(number * 2))
                    #expect(clip.number(in: snapshot.picture.rgb) == (number % 3 == 0 ? 30 : number * 2))
                    #expect(snapshot.receipt.reading.notes.isEmpty)
                }
            }
            try await group.waitForAll()
        }
        #expect(try folder.files().count == 1)
        // Of two that write at the same moment, one may lose what it learned; a later visit learns it again.
        let next = try snapshot(clip.path(), .percent(50), place).receipt.timeIndex
        #expect(next == .read || next == .extended)
        #expect(try snapshot(clip.path(), .percent(50), place).receipt.timeIndex == .read)
    }

    @Test("Where it can't be written there is a picture and a note")
    func unwritable() throws {
        let folder = try TemporaryDirectory()
        try folder.write([1], to: "file")
        let snapshot = try snapshot(Clip.ts.path(), .percent(50), .folder(folder.path("file/index")))
        #expect(Clip.ts.number(in: snapshot.picture.rgb) == 30 && snapshot.receipt.timeIndex == TimeIndexUse.none)
        #expect(
            snapshot.receipt.reading.notes.contains { $0.contains("time index") && $0.contains("cannot be written") })
    }

    // MARK: Remote files

    @Test(
        "A URL is known by its ETag, and takes fewer requests the second time",
        arguments: [Clip.ts, .rawH264, .mkvPiped])
    func remote(_ clip: Clip) async throws {
        let folder = try TemporaryDirectory()
        let bytes = try clip.bytes()
        let resource = LoopbackResource(bytes).with { $0.entityTags = ["\"one\""] }
        let server = try LoopbackServer(["/clip": resource])
        var uses: [TimeIndexUse?] = []
        for _ in 0..<2 {
            let video = try await Video(
                .url(server.url("/clip?token=SECRET")), options: options(.folder(folder.path("index"))))
            let snapshot = try await video.snapshot(at: .frame(40))
            #expect(clip.number(in: snapshot.picture.rgb) == 40)
            uses.append(snapshot.receipt.timeIndex)
        }
        #expect(uses.first == .written && uses.last == .read || clip.name == "mkv-without-cues")
        for name in try folder.files() {
            let text = name + String(decoding: try folder.read(name), as: UTF8.self)
            #expect(!text.contains("SECRET") && !text.contains("127.0.0.1"))
        }
    }

    @Test("A URL whose server doesn't tell its state has none")
    func stateless() async throws {
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer(["/clip": LoopbackResource(Clip.ts.bytes())])
        let video = try await Video(.url(server.url("/clip")), options: options(.folder(folder.path("index"))))
        #expect(try await video.snapshot(at: .percent(50)).receipt.timeIndex == nil)
        #expect(try folder.files().isEmpty)
    }

    @Test("A URL whose ETag changed is a new one")
    func changedURL() async throws {
        let folder = try TemporaryDirectory()
        let resource = Mutex<LoopbackResource?>(nil)
        let server = try LoopbackServer { path in path == "/clip" ? resource.withLock { $0 } : nil }
        for (clip, tag) in [(Clip.ts, "\"one\""), (.mpeg2InTS, "\"two\"")] {
            let state = LoopbackResource(try clip.bytes()).with { $0.entityTags = [tag] }
            resource.withLock { $0 = state }
            let video = try await Video(.url(server.url("/clip")), options: options(.folder(folder.path("index"))))
            let snapshot = try await video.snapshot(at: .percent(50))
            #expect(clip.number(in: snapshot.picture.rgb) == 30 && snapshot.receipt.timeIndex == .written)
        }
    }
}
