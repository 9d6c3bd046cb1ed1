#if os(Linux)
    import Foundation
    import Snap
    import SnapBase
    import TestSupport
    import Testing

    /// Thousands of pictures and failures in one process: memory and descriptors stay flat. Linux, for /proc.
    @Suite("Endurance", .serialized)
    struct EnduranceTests {
        /// Resident memory in bytes, and open descriptors.
        private func use() throws -> (memory: Int, descriptors: Int) {
            let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return (
                Int(words[1])! * sysconfPageSize,
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            )
        }

        private let sysconfPageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

        /// Does a step so often, in eight rounds after one that fills every cache.
        ///
        /// A leak grows in every round. Growth in some is that of tests that run beside this one: with four rounds, it was
        /// seen in all of them once.
        private func flat(_ count: Int, _ step: (Int) throws -> Void) throws {
            for index in 0..<count / 8 { try step(index) }
            var rounds: [(memory: Int, descriptors: Int)] = []
            for round in 0..<8 {
                let before = try use()
                for index in count * round / 8..<count * (round + 1) / 8 { try step(index) }
                let after = try use()
                rounds.append((after.memory - before.memory, after.descriptors - before.descriptors))
            }
            let least = rounds.map(\.memory).min() ?? 0
            #expect(least < 1 << 19, "each \(count / 8) steps took \(least >> 10) KiB or more")
            #expect(rounds.contains { $0.descriptors <= 0 }, "\(rounds.map(\.descriptors))")
        }

        @Test("2,000 pictures, of 500 openings")
        func snapshots() throws {
            let clips = [Clip.moovFirst, .mkv, .ts, .vp9, .mpeg4InAVI]
            let paths = try clips.map { try $0.path() }
            try flat(500) { index in
                let clip = clips[index % clips.count]
                let reader = try VideoReader(
                    .file(paths[index % clips.count]), options: .oneThread, interrupt: Interrupt())
                for frame in [index % 60, (index * 7) % 60, (index * 7) % 60 + 1, 3] {
                    let time = clip.facts.time(ofFrame: min(frame, 59))
                    let snapshot = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
                    if index % 10 == 0 { _ = try snapshot.encoded() }
                }
            }
        }

        @Test("An hour of a live stream: every look gives the newest frame there was, over one connection")
        func live() throws {
            let start = WallClock("2026-11-20T18:00:00Z")!
            let stream = try LiveStream(published: 4, start: start)
            // The playlist may be asked for ten times a second, and 25 seconds pass in between.
            stream.change { $0.targetDuration = "0.2" }
            let server = try stream.server()
            let reader = try VideoReader(
                .url(server.url("/live.m3u8")), options: .oneThread, interrupt: Interrupt())
            var last: VideoReader.FrameIdentity?
            var looks: Int64 = 0
            try flat(128) { index in
                let look = reader.look(after: last)
                guard case .snapshot(let snapshot) = look.outcome else {
                    Issue.record("look \(index): \(look.outcome)")
                    return
                }
                #expect(FrameNumberPattern.number(in: snapshot.picture.rgb) == stream.newest, "look \(index)")
                let newest = start + MediaTime((4 + 25 * looks) * 25 - 1, over: 25)!
                #expect(snapshot.receipt.stream?.programDate == newest && snapshot.receipt.status == .ok)
                last = look.identity
                looks += 1
                stream.change { $0.published += 25 }
                Thread.sleep(forTimeInterval: 0.11)
            }
            let segments = server.log.filter { $0.path.hasSuffix(".ts") }.count
            #expect(segments == Int(looks) && server.log.count - segments <= Int(looks) + 1)
            #expect(server.connections == 1)
        }

        @Test("2,000 failures of every kind")
        func failures() throws {
            let folder = try TemporaryDirectory()
            var sources = try Clip.unplayable.filter { $0.name != Clip.hugeSize.name }.map {
                Source.file(try $0.path())
            }
            sources += try Clip.truncated.prefix(3).map { Source.file(try $0.path()) }
            sources += [.file(folder.path("missing")), .file(folder.path), .bytes([]), .file("/dev/null")]
            sources.append(.scripted(size: 10) { _, _ in throw ByteSourceTests.Broken() })
            sources.append(.bytes(Array(try Clip.moovFirst.bytes().prefix(7000))))
            var options = SnapshotOptions()
            options.isStrict = true
            try flat(2000) { index in
                _ = failure(of: sources[index % sources.count], at: .seconds(100), options: options)
            }
        }
    }
#endif
