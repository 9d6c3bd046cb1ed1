/// Lines for standard output that become known in another order than they are printed in.
struct OrderedLines {
    private var next = 0
    /// By place; `nil` for a place that prints nothing.
    private var waiting: [Int: String?] = [:]

    /// Prints the line of a place, counted from 0, and those that waited for it; or keeps it until its turn.
    mutating func finish(_ index: Int, with line: String?) throws(Console.OutputError) {
        waiting[index] = .some(line)
        while let line = waiting.removeValue(forKey: next) {
            next += 1
            if let line { try Console.printLine(line) }
        }
    }
}
