import SnapBase
import SnapMedia
import SnapNetwork

/// The bytes of one segment or initialization section, received and decrypted as far as they were asked for.
///
/// What was received is kept: a demuxer may begin again, and other times may lie in the same segment.
final class SegmentBytes {
    /// What it is called in errors.
    let name: String
    private let fetcher: StreamFetcher
    /// `nil` once all was received.
    private var source: (any ByteSource)?
    private let part: Range<Int64>?
    private let limit: Int
    private var position: Int64
    private var cipher: Cipher?
    private(set) var bytes: [UInt8] = []
    /// Whether there are no more.
    private(set) var isWhole = false
    /// Where in ``bytes`` the segment begins: some hosts put a picture's header before it.
    private(set) var start = 0
    private let isEncrypted: Bool

    /// How AES-128 in cipher block chaining mode is taken off (RFC 8216, 5.2).
    struct Cipher: ~Copyable {
        var decryptor: AESDecryptor
        /// Received and not decrypted yet: less than a block, and the last block until it is known whether it is the
        /// last of all, which holds the padding.
        var waiting: [UInt8] = []
    }

    /// - Parameters:
    ///   - part: Which bytes of the resource; `nil` for all.
    ///   - expected: What is likely to be wanted.
    ///   - limit: How many it may have.
    ///   - decryptor: For encrypted bytes.
    init(
        _ address: StreamAddress, part: Range<Int64>?, expected: ExpectedBytes, limit: Int,
        decryptor: consuming AESDecryptor?, fetcher: StreamFetcher
    ) throws {
        name = address.name
        self.fetcher = fetcher
        self.part = part
        self.limit = limit
        position = part?.lowerBound ?? 0
        switch consume decryptor {
        case .some(let decryptor): cipher = Cipher(decryptor: decryptor)
        case .none: cipher = nil
        }
        isEncrypted = cipher != nil
        let source = try fetcher.open(address, part: part, expected: expected)
        self.source = source
        size = part.map { Int64($0.count) } ?? (try? source.size())
    }

    deinit { if let source { fetcher.close(source) } }

    /// How many bytes there are where it comes from; `nil` where that is not said.
    let size: Int64?

    /// How many bytes there are behind ``start``.
    var count: Int { bytes.count - start }

    /// Receives until there are so many bytes behind ``start``, or all.
    func receive(_ count: Int) throws {
        while self.count < count, !isWhole { try receiveMore() }
    }

    /// Receives as much as it takes to say what the bytes are.
    ///
    /// - Throws: ``SnapError`` when they are nothing that holds video.
    func format() throws -> SegmentFormat {
        while true {
            switch SegmentFormat.find(in: bytes, isWhole: isWhole) {
            case .format(let format, let prefix):
                start = prefix
                return format
            case .other(let what):
                guard !isEncrypted else {
                    throw SnapError(.encrypted, source: name, "the key does not fit: decrypted, it is \(what)")
                }
                if what.hasPrefix("packed audio") || what.hasPrefix("subtitles") {
                    throw SnapError(.noVideo, source: name, "no video stream (\(what))")
                }
                throw SnapError(.notMedia, source: name, "not a media segment: it is \(what)")
            case .undecided: try receiveMore()
            }
        }
    }

    /// Whether the first packet of a transport stream is one of the program association table, as where a segment begins.
    var beginsWithTables: Bool {
        bytes.count >= start + 3 && bytes[start + 1] & 0x1F == 0 && bytes[start + 2] == 0
    }

    /// Leaves the program tables of a transport stream (ISO/IEC 13818-1, 2.4.4) and nothing else.
    func keepTables() {
        let packets = stride(from: 0, to: bytes.count - 187, by: 188).map { Array(bytes[$0..<$0 + 188]) }
        func identifier(_ packet: [UInt8]) -> Int { Int(packet[1] & 0x1F) << 8 | Int(packet[2]) }
        let association = packets.first { identifier($0) == 0 }
        // Behind the pointer and eight bytes of the section's head: a program's number and where its map is.
        let mapIdentifier = association.map { Int($0[15] & 0x1F) << 8 | Int($0[16]) }
        bytes = packets.filter { identifier($0) == 0 || identifier($0) == mapIdentifier }.flatMap(\.self)
    }

    private func receiveMore() throws {
        guard let source else { return }
        try fetcher.attend(to: source)
        var room = 65_536
        if let part { room = min(room, Int(clamping: part.upperBound - position)) }
        let received: [UInt8] =
            room <= 0
            ? []
            : try [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                count = try source.read(into: UnsafeMutableRawBufferPointer(buffer), at: position)
            }
        position += Int64(received.count)
        if received.isEmpty {
            isWhole = true
            if let part, position < part.upperBound {
                throw SnapError(
                    .network, source: name,
                    "ends at byte \(position), and the playlist says that the segment goes on to byte \(part.upperBound)"
                )
            }
        }
        try take(received)
        guard bytes.count <= limit else {
            throw SnapError(.tooManyBytes, source: name, "a segment of more than \(limit >> 20) MB")
        }
        if isWhole {
            fetcher.close(source)
            self.source = nil
        }
    }

    private func take(_ received: [UInt8]) throws {
        guard cipher != nil else {
            bytes += received
            return
        }
        try decrypt(received)
    }

    private func decrypt(_ received: [UInt8]) throws {
        cipher?.waiting += received
        let waiting = cipher?.waiting ?? []
        let block = AESDecryptor.blockSize
        if isWhole {
            guard waiting.count % block == 0 else {
                throw SnapError(
                    .damaged, source: name,
                    "an encrypted segment must be a whole number of \(block)-byte blocks: it is cut short")
            }
            bytes += cipher?.decryptor.decrypt(waiting).withoutPadding ?? []
            cipher?.waiting = []
            return
        }
        let ready = (waiting.count - 1) / block * block  // at least one byte stays
        guard ready > 0 else { return }
        bytes += cipher?.decryptor.decrypt(Array(waiting[..<ready])) ?? []
        cipher?.waiting = Array(waiting[ready...])
    }
}

extension [UInt8] {
    /// Without the padding of PKCS #7 (RFC 5652, 6.3). Bytes that are no padding stay: demuxers pass over them.
    fileprivate var withoutPadding: [UInt8] {
        guard let last, (1...16).contains(last), count >= Int(last), suffix(Int(last)).allSatisfy({ $0 == last }) else {
            return self
        }
        return dropLast(Int(last))
    }
}
