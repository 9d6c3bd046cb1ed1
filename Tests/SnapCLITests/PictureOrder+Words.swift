import ArgumentParser
import Snap

@testable import SnapCLI

extension PictureOrder {
    /// What is to be done for the words of a command line.
    init(words: String...) throws {
        let command = try SnapCommand.parse(typed: words)
        guard let typed = command as? TakeCommand else { throw SnapError(.usage, "other words: \(words)") }
        try self.init(typed)
    }

    /// What is made of each video: one command line says one thing.
    var product: Product { products[0] }
}

/// The sentence of the usage error that words lead to; `nil` when they are right.
func usageError(_ words: [String]) -> String? {
    do {
        let command = try SnapCommand.parse(typed: words)
        guard let typed = command as? TakeCommand else { return nil }
        _ = try PictureOrder(typed)
        return nil
    } catch let error as SnapError {
        return error.code == .usage ? error.message : "not a usage error: \(error)"
    } catch {
        return SnapCommand.message(for: error)
    }
}
