import Foundation
import TestSupport
import Testing

/// The worker as a program in another language meets it.
@Suite("snap worker, from Python")
struct CoprocessTests {
    /// Its tests, which name themselves in what they print; `python3 FILE snap NAME` runs one of them.
    private static let program = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Coprocess/coprocess_test.py").path

    @Test("Requests by the thousand, lines that make no sense, and ends of all kinds")
    func conversation() throws {
        let result = try ProcessRunner.run("python3", [Self.program, SnapProcess.path], limit: 600)
        #expect(result.end == .exited(0), "\(result.messages)")
    }
}
