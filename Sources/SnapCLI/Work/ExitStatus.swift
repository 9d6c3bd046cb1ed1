/// The exit codes of the command as a whole; those of one failure are in ``Snap/SnapError/exitCode``.
enum ExitStatus {
    static let success: Int32 = 0
    /// Of several pictures, none.
    static let allFailed: Int32 = 1
    /// Of several pictures, not all.
    static let someFailed: Int32 = 3
    static let usage: Int32 = 64
    /// Something that snap needs is not there.
    static let unavailable: Int32 = 69
    /// Nobody reads standard output any longer: as a shell shows a command that SIGPIPE ended.
    static let readerGone: Int32 = 141

    /// Ended by a signal, as a shell shows it.
    static func ended(bySignal signal: Int32) -> Int32 { 128 + signal }
}
