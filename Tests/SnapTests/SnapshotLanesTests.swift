import Foundation
import SnapBase
import TestSupport
import Testing

@testable import Snap

/// Groups of pictures decoded side by side give what one reader gives.
@Suite("Many pictures of a file by several readers")
struct SnapshotLanesTests {
    /// 40 groups of 6 frames.
    private static let clip = Clip.manyGroups

    private func video(threads: Int) async throws -> Video {
        var options = VideoOptions()
        options.threads = threads
        return try await Video(.file(Self.clip.path()), options: options)
    }

    private func positions(_ frames: some Sequence<Int>) -> [Position] {
        frames.map { .time(Self.clip.facts.time(ofFrame: $0)) }
    }

    @Test("Every picture is of its frame, in the order asked for or by time", arguments: [2, 3, 5])
    func numbers(threads: Int) async throws {
        let video = try await video(threads: threads)
        // A few in a group, too many in a group for one to wait, none, out of order, twice.
        let frames = Array(0..<3) + Array(60..<66) + Array(stride(from: 233, to: 100, by: -7)) + [7, 7, 239]
        for order in [SnapshotOrder.asAsked, .byTime] {
            var found: [Int: Int] = [:]
            var delivered: [Int] = []
            for await element in video.snapshots(at: positions(frames), order: order) {
                let snapshot = try element.result.get()
                found[element.index] = Self.clip.number(in: snapshot.picture.rgb)
                #expect(snapshot.receipt.status == .ok)
                #expect(snapshot.receipt.source == video.name)
                delivered.append(element.index)
            }
            #expect(frames.indices.map { found[$0] } == frames)
            let expected =
                order == .asAsked
                ? Array(frames.indices) : frames.indices.sorted { (frames[$0], $0) < (frames[$1], $1) }
            #expect(delivered == expected)
        }
    }

    @Test("Pixels are those of one reader, and each group is decoded once", arguments: [1, 3])
    func samePixels(distance: Int) async throws {
        let frames = Array(stride(from: 2, to: 240, by: distance))
        var pictures: [[Picture]] = []
        var decoded: [Int] = []
        for threads in [1, 2] {
            var all: [Picture] = []
            var count = 0
            for await element in try await video(threads: threads).snapshots(at: positions(frames)) {
                let snapshot = try element.result.get()
                all.append(snapshot.picture)
                count += snapshot.receipt.framesDecoded
            }
            pictures.append(all)
            decoded.append(count)
        }
        #expect(pictures[0] == pictures[1])
        #expect(pictures[0].count == frames.count)
        // A decoder of two threads is sent a frame or two more than one of one.
        #expect(decoded[1] <= decoded[0] + 2 * 40, "\(decoded)")
    }

    @Test("Others than the video's own reader do their part, unless pictures are too large to wait")
    func parts() async throws {
        let frames = Array(stride(from: 2, to: 240, by: 3))
        for (side, isShared) in [(64, true), (6000, false)] {
            let video = try await video(threads: 2)
            var options = SnapshotOptions()
            options.size = .box(width: side, height: side)
            options.upscales = true
            var decoded = 0
            let wanted = positions(isShared ? frames : frames.prefix(20) + [239])
            for await element in video.snapshots(at: wanted, options: options) {
                decoded += try element.result.get().receipt.framesDecoded
            }
            let own = try await video.run { reader throws(SnapError) in reader.footage.decoding.framesDecoded }
            #expect(isShared ? own < decoded * 3 / 4 : own >= decoded)
        }
    }

    @Test("Damage is found by several readers as by one, and so are sound frames instead")
    func damage() async throws {
        var bytes = try Self.clip.bytes()
        let packets = try Self.clip.packets()
        for packet in [14, 61, 62, 120, 126] {  // a frame; two of a group; key frames that follow each other
            let range = packets[packet]
            for index in range.lowerBound + range.count / 3..<range.upperBound { bytes[index] = 0 }
        }
        let folder = try TemporaryDirectory()
        let path = try folder.write(bytes, to: "damaged.mp4")
        var told: [[String]] = []
        var pictures: [[Picture?]] = []
        for threads in [1, 2] {
            var options = VideoOptions()
            options.threads = threads
            var (words, taken): ([String], [Picture?]) = ([], [])
            let video = try await Video(.file(path), options: options)
            for await element in video.snapshots(at: positions(stride(from: 0, to: 240, by: 2))) {
                let snapshot = try? element.result.get()
                words.append(
                    "\(element.index): \(String(describing: snapshot.map { ($0.receipt.code, $0.receipt.actual) }))")
                taken.append(snapshot?.picture)
            }
            told.append(words)
            pictures.append(taken)
        }
        #expect(told[0] == told[1] && pictures[0] == pictures[1])
        #expect(told[0].count == 120 && 4...60 ~= told[0].count { !$0.contains("ok") }, "\(told[0])")
    }

    @Test("What can't be had fails by itself")
    func failures() async throws {
        let video = try await video(threads: 2)
        var options = SnapshotOptions()
        options.isStrict = true
        let wanted = positions(stride(from: 0, to: 240, by: 12)) + [.time(MediaTime(seconds: 1000))]
        var codes: [SnapError.Code?] = []
        for await element in video.snapshots(at: wanted, options: options) {
            if case .failure(let error) = element.result { codes.append(error.code) } else { codes.append(nil) }
        }
        #expect(codes == Array(repeating: nil, count: wanted.count - 1) + [.pastTheEnd])
    }

    @Test("When the task is cancelled, the pictures that are left fail as cancelled, and the video can be used further")
    func cancelling() async throws {
        let video = try await video(threads: 2)
        let frames = Array(stride(from: 0, to: 240, by: 6))
        let task = Task { [positions = positions(frames)] in
            var codes: [SnapError.Code?] = []
            for await element in video.snapshots(at: positions) {
                if case .failure(let error) = element.result { codes.append(error.code) } else { codes.append(nil) }
                if codes.count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return codes
        }
        let codes = await task.value
        #expect(codes.count == frames.count)
        #expect(codes.prefix(5).allSatisfy { $0 == nil } && codes.last == .some(.cancelled))
        #expect(codes.allSatisfy { $0 == nil || $0 == .cancelled })
        let snapshot = try await video.snapshot(at: positions([100])[0])
        #expect(Self.clip.number(in: snapshot.picture.rgb) == 100)
    }

    @Test("A file that is replaced meanwhile is read on as it was opened")
    func replacedFile() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("a.mp4")
        try FileManager.default.copyItem(atPath: Self.clip.path(), toPath: path)
        var options = VideoOptions()
        options.threads = 2
        let video = try await Video(.file(path), options: options)
        try FileManager.default.removeItem(atPath: path)
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: path))
        let frames = Array(stride(from: 1, to: 240, by: 11))
        var numbers: [Int?] = []
        for await element in video.snapshots(at: positions(frames)) {
            numbers.append(Self.clip.number(in: try element.result.get().picture.rgb))
        }
        #expect(numbers == frames)
    }
}
