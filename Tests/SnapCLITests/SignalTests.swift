import Foundation
import TestSupport
import Testing

/// Signals end the command within a second, whatever it does, and leave nothing half done.
@Suite(.serialized) struct SignalTests {
    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func aSignalEndsTheWaitForBytes(_ signal: Int32, _ code: Int32) throws {
        let folder = try TemporaryDirectory()
        let pipe = try OpenFIFO(folder.path("pipe"))
        let process = try SnapProcess.start("pipe", "--at", "1", "--timeout", "0", in: folder)
        process.waitUntilBlocked(signal)
        usleep(300_000 * UInt32(Patience.factor))
        let start = ContinuousClock.now
        process.send(signal: signal)
        let result = process.wait(limit: 20)
        #expect(result.end == .exited(code))
        #expect(ContinuousClock.now - start < Patience.atMost(.seconds(1)))
        #expect(result.output == "" && result.messages == "")
        pipe.close()
    }

    /// Writing to a pipe that nobody empties waits in the kernel, where no cancellation reaches.
    private func stuckProcess(writingTo pipe: OpenFIFO, in folder: TemporaryDirectory) throws -> RunningProcess {
        let command = "exec \"$0\" video.mp4 --at 1 --size 1920 --upscale --format png -o - > pipe"
        let process = try RunningProcess("bash", ["-c", command, SnapProcess.path], in: folder.path)
        pipe.waitForBytes()
        usleep(100_000)
        return process
    }

    @Test func aSignalEndsEvenACallThatCannotBeInterrupted() throws {
        let folder = try SnapProcess.folder()
        let pipe = try OpenFIFO(folder.path("pipe"))
        let process = try stuckProcess(writingTo: pipe, in: folder)
        let start = ContinuousClock.now
        process.send(signal: SIGINT)
        #expect(process.wait(limit: 20).end == .exited(130))
        #expect(.milliseconds(500)..<Patience.atMost(.seconds(3)) ~= ContinuousClock.now - start)
        pipe.close()
    }

    @Test func aSecondSignalDoesNotWait() throws {
        let folder = try SnapProcess.folder()
        let pipe = try OpenFIFO(folder.path("pipe"))
        let process = try stuckProcess(writingTo: pipe, in: folder)
        let start = ContinuousClock.now
        process.send(signal: SIGINT)
        usleep(50_000)
        process.send(signal: SIGTERM)
        #expect(process.wait(limit: 20).end == .exited(130))
        #expect(ContinuousClock.now - start < Patience.atMost(.milliseconds(600)))
        pipe.close()
    }

    @Test func whatIsHalfDoneGoesAndWhatIsDoneStays() throws {
        let folder = try SnapProcess.folder()
        let process = try SnapProcess.start(
            "video.mp4", "--every", "1ms", "--from", "0.5", "--size", "1920", "--upscale", "-o", "shots/{index}.png",
            in: folder)
        let deadline = ContinuousClock.now + .seconds(20)
        while try folder.files().count < 4, ContinuousClock.now < deadline { usleep(5000) }
        process.send(signal: SIGINT)
        #expect(process.wait(limit: 20).end == .exited(130))
        let files = try folder.files()
        #expect(files.count >= 4)
        #expect(files.allSatisfy { $0 == "video.mp4" || $0.hasSuffix(".png") })
        for name in files where name.hasSuffix(".png") {
            #expect(try folder.read(name).suffix(8).prefix(4) == Array("IEND".utf8)[...])
        }
    }
}
