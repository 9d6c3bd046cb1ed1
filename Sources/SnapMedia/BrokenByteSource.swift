/// A byte source that says it read more than there was room for, or less than nothing.
struct BrokenByteSource: Error, CustomStringConvertible {
    let given: Int
    let asked: Int
    var description: String { "the byte source says that it read \(given) bytes where there was room for \(asked)" }
}
