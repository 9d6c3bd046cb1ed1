import Foundation
import Snap
import SnapBase
import Synchronization
import TestSupport
import Testing

/// A caller's own source may be anything: it gets a picture or an error, never a crash, a hang or a wrong picture.
@Suite("Byte sources of all kinds")
struct ByteSourceTests {
    struct Broken: Error, CustomStringConvertible {
        var description: String { "the shelf is empty" }
    }

    @Test(
        "Bytes in memory, and a source that gives them in small pieces",
        arguments: [Clip.moovFirst, .moovLast, .mkv, .ts])
    func plain(_ clip: Clip) throws {
        let bytes = try clip.bytes()
        let small: Source = .scripted(size: Int64(bytes.count)) { buffer, offset in
            ScriptedSource.copy(
                bytes, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(7 + Int(offset % 900))), offset)
        }
        let sizeless: Source = .scripted(size: nil) { ScriptedSource.copy(bytes, $0, $1) }
        for source in [Source.bytes(bytes), small, sizeless] {
            for number in [0, 17, 42] {
                let snapshot = try snapshot(of: source, at: .time(clip.facts.time(ofFrame: number)))
                #expect(clip.number(in: snapshot.picture.rgb) == number, "\(source.name)")
                #expect(snapshot.receipt.status == .ok)
            }
        }
    }

    @Test("What a source throws is the cause in the sentence, wherever it throws")
    func throwing() throws {
        let bytes = try Clip.moovFirst.bytes()
        for good in [0, 1, 3, 100, 5000, bytes.count / 2] {
            let source: Source = .scripted(size: Int64(bytes.count)) { buffer, offset in
                if offset + 1 > Int64(good) { throw Broken() }
                return ScriptedSource.copy(Array(bytes.prefix(good)), buffer, offset)
            }
            let error = try #require(failure(of: source, at: .seconds(2)))
            #expect(error.code == .notReadable && error.exitCode == 66, "\(good): \(error)")
            #expect(error.message.contains("the shelf is empty") && error.source == "script")
        }
        let unmade = Source.custom(name: "script") { _ in throw Broken() }
        #expect(failure(of: unmade)?.message.contains("the shelf is empty") == true)
    }

    @Test(
        "After a read failed, the next picture is right: nothing is taken for the end of the file",
        arguments: [Clip.moovFirst, .mkv, .ts, .mpeg4InAVI])
    func recovering(_ clip: Clip) throws {
        let bytes = try clip.bytes()
        for failing in stride(from: 1, through: 12, by: 1) {
            let reads = Mutex(0)
            let source: Source = .scripted(size: Int64(bytes.count)) { buffer, offset in
                let number = reads.withLock { count -> Int in
                    count += 1
                    return count
                }
                if number == failing { throw Broken() }
                return ScriptedSource.copy(bytes, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(4096)), offset)
            }
            guard let reader = try? VideoReader(source, options: .oneThread, interrupt: Interrupt()) else { continue }
            for number in [20, 21, 22, 50, 51, 5, 6] {
                // The first answer may be the error; the same question again is answered.
                let time = clip.facts.time(ofFrame: number)
                let moment = try reader.moment(.time(time))
                let first = try? reader.snapshot(at: moment, options: SnapshotOptions())
                let snapshot = try first ?? reader.snapshot(at: moment, options: SnapshotOptions())
                #expect(clip.number(in: snapshot.picture.rgb) == number, "read \(failing)")
                #expect(snapshot.receipt.status == .ok && !snapshot.receipt.isClamped)
            }
        }
    }

    @Test(
        "A source that lies about its size or about what it read",
        arguments: [0, 1, 1000, Int64(1) << 40, Int64.max, -1, Int64.min])
    func lying(_ size: Int64) throws {
        let clip = Clip.moovFirst
        let bytes = try clip.bytes()
        let source: Source = .scripted(size: size) { ScriptedSource.copy(bytes, $0, $1) }
        do throws(SnapError) {
            let snapshot = try snapshot(of: source, at: .time(clip.facts.time(ofFrame: 30)))
            #expect(clip.number(in: snapshot.picture.rgb) == 30)
        } catch {
            #expect([.notMedia, .noFrame, .notReadable].contains(error.code), "\(error)")
        }
        for given in [Int.max, Int.min, -1, 1 << 30] {
            let lie: Source = .scripted(size: size) { _, _ in given }
            let error = try #require(failure(of: lie))
            #expect(error.code == .notReadable && error.message.contains("\(given) bytes"), "\(error)")
            let later: Source = .scripted(size: size) { buffer, offset in
                offset > 3000 ? given : ScriptedSource.copy(Array(bytes.prefix(3001)), buffer, offset)
            }
            #expect(failure(of: later) != nil)
        }
    }

    @Test("Garbage, of known and unknown and no length")
    func garbage() throws {
        for seed in 1...20 {
            let source: Source = .scripted(size: seed % 2 == 0 ? nil : 300_000) { buffer, offset in
                guard offset < 300_000 else { return 0 }
                var random = SeededRandom(seed: UInt64(seed) &* 1_000_003 &+ UInt64(offset))
                for i in buffer.indices { buffer[i] = UInt8(truncatingIfNeeded: random.next()) }
                return buffer.count
            }
            let error = try #require(failure(of: source))
            #expect(error.exitCode == 65, "\(error)")
        }
    }

    @Test("A source that waits is interrupted within 0.3 s")
    func blocking() throws {
        let bytes = try Clip.moovFirst.bytes()
        for good in [0, 6000] {
            let source = Source.custom(name: "script") { interrupt in
                ScriptedSource(size: Int64(bytes.count)) { buffer, offset in
                    if offset < Int64(good) { return ScriptedSource.copy(Array(bytes.prefix(good)), buffer, offset) }
                    while true {
                        try interrupt.check()
                        usleep(20_000)
                    }
                }
            }
            let interrupt = Interrupt()
            Thread.detachNewThread {
                usleep(150_000)
                interrupt.cancel()
            }
            let clock = ContinuousClock()
            var error: SnapError?
            let time = clock.measure { error = failure(of: source, at: .seconds(2), interrupt: interrupt) }
            #expect(error?.code == .cancelled && error?.exitCode == 130)
            #expect(time < .milliseconds(450))

            let late = clock.measure {
                error = failure(of: source, at: .seconds(2), opening: .oneThread(timeout: .milliseconds(200)))
            }
            #expect(error?.code == .timedOut && error?.exitCode == 75)
            #expect(error?.message.contains("0.2 s") == true && error?.message.contains("--timeout") == true)
            #expect(late < .milliseconds(500))
        }
    }
}
