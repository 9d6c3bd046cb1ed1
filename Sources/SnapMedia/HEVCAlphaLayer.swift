/// Alpha that a stream of H.265 has as a second layer: pictures whose luma is the opacity of those of the first (ITU-T
/// H.265, annex F, and Apple's "HEVC Video with Alpha").
///
/// Where its pictures are predicted from each other only, and its headers are as those of the first layer, it is a stream
/// of its own as soon as its units are called units of that layer, and any decoder of H.265 can decode it. FFmpeg's knows of
/// the layer from release 8 on only, and not of all that encoders write of it.
///
/// A class: as a struct within ``AlphaSource``, Swift 6.3 took `nil` for a value of it and crashed, now and then.
final class HEVCAlphaLayer: Sendable {
    /// How units follow each other in packets.
    let units: NALUnits
    /// Whether colours were multiplied by their opacity: what is transparent is black.
    let isPremultiplied: Bool
    /// The configuration of the layer as a stream of its own.
    let configuration: [UInt8]
    /// The configuration of the pictures without the layer.
    let pictureConfiguration: [UInt8]

    /// - Returns: `nil` without such a layer, and for one that can't be decoded by itself, or whose samples don't go from
    ///   transparent to opaque. Where the video parameter set can't be read to its end, as that of Apple's encoder, a layer is
    ///   taken to be decodable.
    init?(configuration extradata: [UInt8]) {
        guard let whole = HEVCConfiguration(extradata) else { return nil }
        let (channel, second) = (AlphaChannel(in: whole), Self.second(in: whole))
        guard channel?.isOpacity ?? (second?.auxiliary == 1) else { return nil }
        if let second, second.auxiliary != 1 || second.isDependent || second.hasOrderInEntries == true { return nil }
        let sets = whole.units.filter { $0.layer == Self.layer && [33, 34].contains($0.type) }
        let sequences = sets.filter { $0.type == 33 }
        // With a 7 in its first byte, a sequence parameter set leaves out what that of the layer below says (F.7.3.2.2.1).
        guard !sequences.isEmpty, sets.count > sequences.count,
            sequences.allSatisfy({ $0.payload.first.map { $0 >> 1 & 7 != 7 } ?? false })
        else { return nil }
        let video = whole.units.filter { $0.isVideoParameterSet && $0.layer == 0 }.map(\.withOneLayer)
        units = NALUnits(hevcConfiguration: extradata)
        isPremultiplied = channel?.isPremultiplied ?? false
        configuration = whole.bytes(with: video + sets.map(\.inBaseLayer))
        pictureConfiguration = whole.bytes(
            with: video + whole.units.filter { !$0.isVideoParameterSet && $0.layer == 0 })
    }

    /// Whether a stream says that it has alpha in a layer, of whatever kind.
    static func isNamed(in extradata: [UInt8]) -> Bool {
        guard let whole = HEVCConfiguration(extradata) else { return false }
        return AlphaChannel(in: whole) != nil || second(in: whole)?.auxiliary == 1
    }

    private static func second(in configuration: HEVCConfiguration) -> HEVCSecondLayer? {
        configuration.units.lazy.compactMap(HEVCSecondLayer.init).first
    }

    /// What a packet holds of it, as a packet of its own; `nil` for no picture.
    func packet(of bytes: Span<UInt8>) -> [UInt8]? { packet(ofLayer: Self.layer, bytes) }

    /// What a packet holds of the pictures, without the layer: FFmpeg 8 takes the layer's hashes for those of the pictures.
    func pictures(of bytes: Span<UInt8>) -> [UInt8]? { packet(ofLayer: 0, bytes) }

    private func packet(ofLayer layer: UInt8, _ bytes: Span<UInt8>) -> [UInt8]? {
        guard let ranges = units.ranges(in: bytes) else { return nil }
        var packet: [UInt8] = []
        packet.reserveCapacity(bytes.count)
        var hasPicture = false
        for range in ranges {
            let unit = bytes.extracting(range)
            // What says how many layers there are is for both, and so is what ends all of them.
            guard let header = HEVCUnit(unit.extracting(first: 2).copied),
                header.layer == layer || header.layer == 0 && (header.isVideoParameterSet || header.isEnd),
                let taken = HEVCUnit(unit.copied)?.inBaseLayer.withOneLayer
            else { continue }
            packet += units.framed(taken.bytes)
            hasPicture = hasPicture || header.isPicture
        }
        return hasPicture ? packet : nil
    }

    /// Whether decoding can begin with a packet of the layer.
    func isKey(_ packet: [UInt8]) -> Bool {
        units.ranges(in: packet.span)?.contains { HEVCUnit(packet[$0])?.isEntry ?? false } ?? false
    }

    /// The one that encoders give it.
    private static let layer: UInt8 = 1
}

/// The message "alpha channel information" (ITU-T H.265, F.14.2.8 and F.14.3.8).
private struct AlphaChannel {
    /// Whether samples go from transparent, 0, to opaque, the largest, and are meant for blending.
    let isOpacity: Bool
    let isPremultiplied: Bool

    init?(in configuration: HEVCConfiguration) {
        let messages = configuration.units.lazy.filter { $0.type == 39 }.flatMap(\.messages)
        guard let message = messages.first(where: { $0.type == 165 }) else { return nil }
        var bits = BitReader(Array(message.content))
        let isCancelled = bits.flag()
        let use = bits.bits(3)
        let depth = bits.bits(3) + 8
        let (transparent, opaque) = (bits.bits(depth + 1), bits.bits(depth + 1))
        if isCancelled { return nil }
        let isAltered = bits.bits(2) != 0  // by one, or cut to what is wholly the one or the other
        isOpacity = use <= 1 && transparent == 0 && opaque == (1 << depth) - 1 && !isAltered && !bits.isPastEnd
        isPremultiplied = use == 1
    }
}

extension Span<UInt8> {
    fileprivate var copied: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}
