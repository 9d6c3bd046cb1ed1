import Foundation
import TestSupport

/// What `Tests/ColourReference/reference.py` computes: made anew in each run, so that it can't be older than the formulas.
enum ReferenceTable {
    /// The lines behind the head; none where the program doesn't come to its end.
    static func lines(_ arguments: String...) -> [Substring] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "ColourReference/reference.py").path
        let result = try? ProcessRunner.run("python3", [path] + arguments, limit: 300)
        guard let result, result.exitCode == 0 else { return [] }
        return Array(result.output.split(separator: "\n").dropFirst())
    }
}
