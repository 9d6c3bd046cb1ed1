import SnapBase
import SnapMedia
import SnapNetwork
import SnapPlaylist

/// The segments of one rendition, as far as they were received: those used last are kept, so that many times in one
/// segment cost one request.
final class SegmentStore {
    private let fetcher: StreamFetcher
    private let limits: StreamLimits
    /// Where the playlist is; references stand in it.
    var base: StreamAddress
    /// What announces how large segments are; `nil` where there is but one playlist.
    private let variant: Variant?
    /// Bytes a second of the segment that was opened last: the next one will be much like it.
    private var measuredRate: Int64?

    private var segments: [Segment.ID: SegmentBytes] = [:]
    /// The one used last at the end.
    private var order: [Segment.ID] = []
    private var maps: [InitializationSection: SegmentBytes] = [:]
    private var tables: [String: SegmentBytes] = [:]
    private var keys: [StreamAddress: [UInt8]] = [:]

    /// More than initialization sections have, as a rule.
    private static let expectedMap = ExpectedBytes(size: 16_384, isSizeSure: true)

    init(fetcher: StreamFetcher, base: StreamAddress, variant: Variant?, limits: StreamLimits) {
        self.fetcher = fetcher
        self.base = base
        self.variant = variant
        self.limits = limits
    }

    func removeAll() {
        segments = [:]
        order = []
        measuredRate = nil
        maps = [:]
        tables = [:]
        keys = [:]
    }

    /// Gives up what lies before a segment: a live stream goes on for days.
    func removeSegments(before sequence: UInt64) {
        order.removeAll { $0.sequence < sequence }
        segments = segments.filter { $0.key.sequence >= sequence }
        if maps.count > limits.keptMaps { maps = [:] }
        if tables.count > limits.keptMaps { tables = [:] }
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
        if let size = bytes.size, segment.duration > .zero {
            measuredRate =
                MediaTime(seconds: size)
                .scaled(by: segment.duration.denominator, over: segment.duration.numerator).wholeSeconds
        }
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
            fetcher.address(of: segment.uri, in: base), part: 0..<min(range.offset, 2048),
            expected: ExpectedBytes(size: 2048, isSizeSure: true),
            limit: limits.mapBytes, decryptor: nil, fetcher: fetcher)
        try head.receive(.max)
        head.keepTables()
        tables[segment.uri] = head
        return head
    }

    /// How large a segment is likely to be: by what the playlist says of it, by the one before, or by the variant.
    ///
    /// - Parameter share: How much of it is likely to be wanted, of 100.
    private func expected(_ segment: Segment, share: Int64) -> ExpectedBytes {
        if let range = segment.byteRange { return ExpectedBytes(size: range.length, isSizeSure: true, share: share) }
        // What a playlist announces may be anything; a segment that is received is not.
        func size(atBytesPerSecond rate: Int64) -> Int64 {
            let bytes = segment.duration.scaled(by: min(max(rate, 0), 1 << 40), over: 1).wholeSeconds
            return min(bytes, Int64(limits.segmentBytes))
        }
        let bitrate = segment.bitrate.map { Int64(min(max($0, 0), 1 << 40)) * 125 }
        if let rate = bitrate ?? measuredRate ?? variant?.averageBandwidth.map({ $0 / 8 }) {
            return ExpectedBytes(size: size(atBytesPerSecond: rate), isSizeSure: true, share: share)
        }
        // The bandwidth is that of the largest segments.
        let peak = variant?.bandwidth.map { $0 / 8 }
        return ExpectedBytes(size: peak.map(size(atBytesPerSecond:)), isSizeSure: false, share: share)
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
