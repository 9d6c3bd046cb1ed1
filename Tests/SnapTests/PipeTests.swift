import Foundation
import Snap
import SnapBase
import Synchronization
import TestSupport
import Testing

/// Bytes that come once: a pipe by its path is read as standard input is.
@Suite("Pipes")
struct PipeTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test(
        "Any layout of a file, the index at its end too",
        arguments: [Clip.moovLast, .moovFirst, .fragmented, .mkv, .ts, .mpeg4InAVI])
    func layouts(_ clip: Clip) throws {
        let pipe = try NamedPipe(folder.path("pipe"))
        pipe.write(try clip.bytes())
        let reader = try VideoReader(.file(pipe.path), options: .oneThread, interrupt: Interrupt())
        for number in [40, 0, 59, 13] {
            let moment = try reader.moment(.time(clip.facts.time(ofFrame: number)))
            let snapshot = try reader.snapshot(at: moment, options: SnapshotOptions())
            #expect(clip.number(in: snapshot.picture.rgb) == number)
            #expect(snapshot.receipt.status == .ok)
        }
        let last = try reader.snapshot(at: try reader.moment(.end), options: SnapshotOptions())
        #expect(clip.number(in: last.picture.rgb) == 59)
    }

    @Test("A stream that never ends gives its first frame, from no more bytes than that takes")
    func frugal() throws {
        let bytes = try Clip.ts.bytes()
        let pipe = try NamedPipe(folder.path("pipe"))
        pipe.write { bytes }
        let snapshot = try snapshot(of: .file(pipe.path))
        #expect(Clip.ts.number(in: snapshot.picture.rgb) == 0)
        #expect(snapshot.receipt.reading.bytesRead < 6_000_000)
    }

    @Test("A pipe without end ends at the byte limit, and says so")
    func endless() throws {
        var options = VideoOptions.oneThread
        options.byteLimit = 3_000_000
        // A moov that never comes: one box after the other that holds nothing.
        let boxes = [UInt8](
            (0..<2000).flatMap { _ in [0, 0, 0, 16] + Array("free".utf8) + [UInt8](repeating: 0, count: 8) })
        let start = Array(try Clip.moovFirst.bytes().prefix(32))
        let isFirst = Mutex(true)
        let pipe = try NamedPipe(folder.path("pipe"))
        pipe.write {
            isFirst.withLock { first in
                defer { first = false }
                return first ? start : boxes
            }
        }
        let error = try #require(failure(of: .file(pipe.path), opening: options))
        #expect(error.code == .tooManyBytes && error.exitCode == 65, "\(error)")
        #expect(error.message.contains("--max-bytes"), "\(error)")
    }

    @Test("Endless noise and endless zeros are given up before any limit", arguments: ["noise", "/dev/zero"])
    func noise(_ kind: String) throws {
        var path = kind
        if kind == "noise" {
            let pipe = try NamedPipe(folder.path("pipe"))
            let random = Mutex(SeededRandom(seed: 3))
            pipe.write {
                random.withLock { random in (0..<8192).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
                }
            }
            path = pipe.path
        }
        let error = try #require(failure(of: .file(path), opening: .oneThread(timeout: .seconds(20))))
        #expect(error.code == .notMedia && error.exitCode == 65, "\(error)")
    }

    @Test("A pipe that nobody writes to, and one whose writer falls silent, wait no longer than they may")
    func silence() throws {
        let unwritten = try NamedPipe(folder.path("unwritten"))
        let silent = try NamedPipe(folder.path("silent"))
        let start = Array(try Clip.moovFirst.bytes().prefix(3000))
        let isFirst = Mutex(true)
        silent.write {
            if isFirst.withLock({ first in
                defer { first = false }
                return first
            }) {
                return start
            }
            sleep(3)
            return nil
        }
        for pipe in [unwritten, silent] {
            var error: SnapError?
            let time = ContinuousClock().measure {
                error = failure(of: .file(pipe.path), opening: .oneThread(timeout: .milliseconds(300)))
            }
            #expect(error?.code == .timedOut, "\(String(describing: error))")
            #expect(error?.message.contains("it waited for bytes of the pipe") == true)
            #expect(time < .milliseconds(650))
            let interrupt = Interrupt()
            interrupt.cancel()
            #expect(failure(of: .file(unwritten.path), interrupt: interrupt)?.code == .cancelled)
        }
    }

    @Test("A pipe that ends at once, or in the middle")
    func short() throws {
        let empty = try NamedPipe(folder.path("empty"))
        empty.write([])
        #expect(failure(of: .file(empty.path))?.code == .empty)
        let half = try NamedPipe(folder.path("half"))
        half.write(Array(try Clip.moovLast.bytes().prefix(9000)))
        #expect(failure(of: .file(half.path))?.exitCode == 65)
    }
}
