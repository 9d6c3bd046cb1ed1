/// Why a text is no playlist that can be used.
package struct PlaylistError: Error, Sendable, Hashable {
    package enum Code: Sendable, Hashable {
        /// It does not begin with `#EXTM3U`.
        case notAPlaylist
        /// It breaks a rule that a right picture depends on.
        case malformed
        /// It is longer, or holds more, than a limit.
        case tooLarge
        /// A variable that nobody defines.
        case undefinedVariable
        /// Something that snap did not ask for and can't use.
        case unsupported
    }

    package let code: Code
    /// From 1; `nil` where it is about all of it.
    package let line: Int?
    /// Without the line and without a full stop.
    package let message: String

    init(_ code: Code, line: Int? = nil, _ message: String) {
        self.code = code
        self.line = line
        self.message = message
    }
}

extension PlaylistError: CustomStringConvertible {
    /// `line 7: EXTINF has no number`
    package var description: String { line.map { "line \($0): \(message)" } ?? message }
}
