import FoundationEssentials
import Snap

/// What a worker writes, out of the pieces in which it comes.
struct ReplyParser {
    enum Message: Sendable {
        /// It is ready.
        case greeting
        case stage(WorkerStage)
        case reply(WorkerReply)
        /// Something that no worker of this version says.
        case nonsense
    }

    /// More than any reply has, with its picture.
    private static let longest = 2 << 30
    /// How the greeting begins.
    private static let greeting = Array("{\"snap\":".utf8)
    private static let stages = WorkerStage.allCases.map { ($0, Array($0.line.text.utf8)) }

    private var buffer: [UInt8] = []
    private var start = 0
    /// The reply whose picture is still to come.
    private var waiting: WorkerReply?

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next message that is there as a whole.
    mutating func next() -> Message? {
        if var reply = waiting {
            guard buffer.count - start > reply.payloadSize else { return nil }
            reply.payload = Array(buffer[start..<start + reply.payloadSize])
            start += reply.payloadSize + 1
            waiting = nil
            return .reply(reply)
        }
        guard let end = buffer[start...].firstIndex(of: 0x0a) else {
            return buffer.count - start > Self.longest >> 6 ? .nonsense : nil
        }
        let line = buffer[start..<end]
        start = end + 1
        if line.starts(with: Self.greeting) { return .greeting }
        if let (stage, _) = Self.stages.first(where: { line.elementsEqual($0.1) }) { return .stage(stage) }
        guard let reply = WorkerReply(line), reply.payloadSize < Self.longest else { return .nonsense }
        if reply.payloadSize == 0 { return .reply(reply) }
        waiting = reply
        return next()
    }
}

/// A worker's reply, as far as a batch needs to know it.
struct WorkerReply: Sendable {
    let item: Int
    /// `nil` for the item as a whole.
    let picture: Int?
    let isLast: Bool
    let payloadSize: Int
    /// The receipt as it was written, without the brace at its beginning.
    let receiptText: Substring
    let facts: Facts
    var payload: [UInt8] = []

    /// What is in the receipt.
    struct Facts: Sendable, Decodable {
        let status: String
        let code: String
        let message: String?
        private let output: String?
        private let outputBytes: Data?
        let read: Read
        let requested: Requested

        struct Read: Sendable, Decodable {
            /// `nil` where it isn't known.
            let bytes: Int64?
            let version: String?
        }

        struct Requested: Sendable, Decodable {
            /// `nil` for the video as a whole.
            let position: String?
            /// In seconds.
            private let time: String?

            var moment: MediaTime? { time.flatMap { try? MediaTime(parsing: $0) } }
        }

        /// Where the picture belongs.
        var path: String? { outputBytes.map { String(pathBytes: $0) } ?? output }
    }

    /// - Returns: `nil` for a line that ``Reply`` does not write.
    init?(_ line: ArraySlice<UInt8>) {
        let text = String(decoding: line, as: UTF8.self)
        var rest = text[...]
        guard let item = Self.number("{\"id\":", &rest) else { return nil }
        let isWhole = rest.hasPrefix(Self.noPicture)
        if isWhole { rest = rest.dropFirst(Self.noPicture.count) }
        let picture = isWhole ? nil : Self.number(",\"picture\":", &rest)
        guard isWhole || picture != nil, let isLast = Self.flag(",\"last\":", &rest),
            let size = Self.number(",\"payload\":", &rest),
            rest.first == ",", let facts = try? JSONDecoder().decode(Facts.self, from: Data(line))
        else { return nil }
        (self.item, self.picture, self.isLast, payloadSize) = (item, picture, isLast, size)
        receiptText = rest.dropFirst()
        self.facts = facts
    }

    private static let noPicture = ",\"picture\":null"

    private static func number(_ name: String, _ rest: inout Substring) -> Int? {
        guard rest.hasPrefix(name) else { return nil }
        rest = rest.dropFirst(name.count)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return Int(digits)
    }

    private static func flag(_ name: String, _ rest: inout Substring) -> Bool? {
        for (word, value) in [("true", true), ("false", false)] where rest.hasPrefix(name + word) {
            rest = rest.dropFirst(name.count + word.count)
            return value
        }
        return nil
    }
}
