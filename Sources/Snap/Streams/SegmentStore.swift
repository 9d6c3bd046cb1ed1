import SnapBase
import SnapMedia
import SnapPlaylist

/// The segments of one rendition, as far as they were received: those used last are kept, so that many times in one
/// segment cost one request.
final class SegmentStore {
    private let fetcher: StreamFetcher
    private let limits: StreamLimits
    /// Where the playlist is; references stand in it.
    var base: StreamAddress
    /// Bytes a second of the variant; `nil` where nobody says.
    private let byteRate: Int64?

    private var segments: [Segment.ID: SegmentBytes] = [:]
    /// The one used last at the end.
    private var order: [Segment.ID] = []
    private var maps: [InitializationSection: SegmentBytes] = [:]
    private var tables: [String: SegmentBytes] = [:]
    private var keys: [StreamAddress: [UInt8]] = [:]

    /// More than initialization sections have, as a rule.
    private static let expectedMap: Int64 = 16_384

    init(fetcher: StreamFetcher, base: StreamAddress, byteRate: Int64?, limits: StreamLimits) {
        self.fetcher = fetcher
        self.base = base
        self.byteRate = byteRate
        self.limits = limits
    }

    func removeAll() {
        segments = [:]
        order = []
        maps = [:]
    }

    /// Gives up what lies before a segment: a live stream goes on for days.
    func removeSegments(before sequence: UInt64) {
        order.removeAll { $0.sequence < sequence }
        segments = segments.filter { $0.key.sequence >= sequence }
        if maps.count > limits.keptMaps { maps = [:] }
        if keys.count > limits.keptKeys { keys = [:] }
    }

    /// A segment and the initialization section that it needs, asked for together with their keys where that can be.
    ///
    /// - Parameter share: As of ``bytes(of:share:)``.
    func open(_ segment: Segment, share: Int64) throws -> (map: SegmentBytes?, segment: SegmentBytes) {
        defer { fetcher.forgetAhead() }
        try fetcher.ask(ahead: requests(for: segment, share: share))
        let map = try initialization(of: segment)
        // What had to wait for it, on its connection.
        try fetcher.ask(ahead: requests(for: segment, share: share))
        return (map, try bytes(of: segment, share: share))
    }

    /// What a segment needs that is not here yet; nothing where it can't be had, which is an error in its place.
    private func requests(for segment: Segment, share: Int64) -> [StreamFetcher.Request] {
        guard !segment.isGap, segments[segment.id] == nil else { return [] }
        var requests: [StreamFetcher.Request] = []
        func add(_ address: StreamAddress?) {
            guard let address, keys[address] == nil else { return }
            let request = StreamFetcher.Request.key(address, limit: limits.keyBytes)
            if !requests.contains(request) { requests.append(request) }
        }
        do {
            if let map = segment.map, maps[map] == nil {
                add(try keyAddress(of: map.keys, vector: map.initializationVector))
                requests.append(
                    .bytes(
                        try fetcher.address(ofInlineable: map.uri, in: base), part: map.byteRange?.range,
                        expected: Self.expectedMap))
            }
            add(try keyAddress(of: segment.keys, vector: segment.initializationVector))
            requests.append(
                .bytes(
                    try fetcher.address(of: segment.uri, in: base), part: segment.byteRange?.range,
                    expected: expected(segment, share: share)))
            return requests
        } catch {
            return []
        }
    }

    /// The bytes of a segment, or of a part of one.
    ///
    /// - Parameter share: How much of it is likely to be wanted, of 100; for the first request.
    func bytes(of segment: Segment, share: Int64 = 100) throws -> SegmentBytes {
        if let known = segments[segment.id] {
            order.removeAll { $0 == segment.id }
            order.append(segment.id)
            return known
        }
        if segment.isGap {
            throw SnapError(
                .gap, source: base.name, "segment \(segment.sequence) is a gap: the stream has no video at this time")
        }
        let bytes = try SegmentBytes(
            fetcher.address(of: segment.uri, in: base), part: segment.byteRange?.range,
            expected: expected(segment, share: share), limit: limits.segmentBytes,
            decryptor: decryptor(segment.keys, vector: segment.initializationVector), fetcher: fetcher)
        makeRoom()
        segments[segment.id] = bytes
        order.append(segment.id)
        return bytes
    }

    /// The initialization section that a segment needs; `nil` for none.
    private func initialization(of segment: Segment) throws -> SegmentBytes? {
        guard let map = segment.map else { return nil }
        if let known = maps[map] { return known }
        let bytes = try SegmentBytes(
            fetcher.address(ofInlineable: map.uri, in: base), part: map.byteRange?.range,
            expected: Self.expectedMap, limit: limits.mapBytes,
            decryptor: decryptor(map.keys, vector: map.initializationVector), fetcher: fetcher)
        try bytes.receive(.max)
        maps[map] = bytes
        return bytes
    }

    /// The tables that a transport stream begins with, for a segment from its middle: an entry of a list of key frames.
    func tables(of segment: Segment) throws -> SegmentBytes? {
        guard let range = segment.byteRange, range.offset > 0, segment.keys.isEmpty else { return nil }
        if let known = tables[segment.uri] { return known }
        let head = try SegmentBytes(
            fetcher.address(of: segment.uri, in: base), part: 0..<min(range.offset, 2048), expected: 2048,
            limit: limits.mapBytes, decryptor: nil, fetcher: fetcher)
        try head.receive(.max)
        head.keepTables()
        tables[segment.uri] = head
        return head
    }

    /// How many bytes to ask for first: what lies before the time wanted, by the rate that is announced, and some.
    private func expected(_ segment: Segment, share: Int64) -> Int64? {
        if let range = segment.byteRange { return max(range.length * share / 100 + 16_384, 16_384) }
        // What a playlist announces may be anything; a segment that is received is not.
        let rate = segment.bitrate.map { Int64(min($0, 1 << 40)) * 125 } ?? byteRate
        guard let rate else { return nil }
        let announced = segment.duration.scaled(by: min(rate, 1 << 40), over: 1).wholeSeconds
        let size = min(max(announced, 0), Int64(limits.segmentBytes))
        return min(size * (share + 10) / 100 + 16_384, size + size / 4 + 16_384)
    }

    private func makeRoom() {
        var kept = segments.values.reduce(0) { $0 + $1.bytes.count }
        while kept > limits.keptBytes, order.count > 1 {
            let oldest = order.removeFirst()
            kept -= segments.removeValue(forKey: oldest)?.bytes.count ?? 0
        }
    }

    // MARK: Keys

    private func decryptor(_ keys: [Key], vector: [UInt8]?) throws -> AESDecryptor? {
        guard let address = try keyAddress(of: keys, vector: vector), let vector else { return nil }
        return AESDecryptor(key: try key(at: address), initializationVector: vector)
    }

    /// Where the key of encrypted bytes is; `nil` for bytes that are not encrypted.
    ///
    /// - Throws: ``SnapError`` when they can't be decrypted.
    private func keyAddress(of keys: [Key], vector: [UInt8]?) throws -> StreamAddress? {
        guard !keys.isEmpty else { return nil }
        guard let key = keys.first(where: \.isIdentity), key.method == .aes128, let uri = key.uri else {
            throw SnapError(.encrypted, source: base.name, "the stream is protected (\(keys.protectionName))")
        }
        guard vector != nil else {
            throw SnapError(.encrypted, source: base.name, "an encrypted map needs an IV, and the playlist gives none")
        }
        let address = try fetcher.address(ofInlineable: uri, in: base)
        if case .url(let list) = base, case .url(let url) = address, list.isSecure, !url.isSecure {
            throw SnapError(
                .refusedAddress, source: url.description, "a key over http for a playlist over https is not fetched")
        }
        return address
    }

    private func key(at address: StreamAddress) throws -> [UInt8] {
        if let known = keys[address] { return known }
        let key = try fetcher.fetchKey(address, limit: limits.keyBytes)
        guard key.count == AESDecryptor.blockSize else {
            throw SnapError(
                .encrypted, source: address.name,
                "a key of AES-128 has 16 bytes, and this has \(key.count): the server may want a header that lets you in"
            )
        }
        keys[address] = key
        return key
    }
}
