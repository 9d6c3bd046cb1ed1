import CFFmpeg
import SnapBase

/// What lies beside a picture in its packet.
extension Packet {
    /// The packet of its alpha, for a decoder of its own; `nil` without.
    func alpha(from source: AlphaSource) throws(MediaError) -> Packet? {
        guard let bytes = alphaBytes(from: source) else { return nil }
        do throws(FFmpegError) {
            return try packet(of: bytes, headers: newExtradata.flatMap { _ in source.configuration?.alpha })
        } catch {
            throw .failed(error)
        }
    }

    /// The packet without its alpha, for the decoder of the pictures.
    func pictures(besides source: AlphaSource) throws(MediaError) -> Packet {
        guard case .layer(let layer) = source, let bytes = withBytes(layer.pictures(of:)) else { return self }
        do throws(FFmpegError) {
            let headers = newExtradata.map { _ in layer.pictureConfiguration }
            return try packet(of: bytes, headers: headers, like: self)
        } catch {
            throw .failed(error)
        }
    }

    /// A packet of other bytes, at the same times.
    ///
    /// - Parameters:
    ///   - headers: The codec's headers, where they change with it.
    ///   - other: Whose properties it has; `nil` for none.
    private func packet(of bytes: [UInt8], headers: [UInt8]?, like other: Packet? = nil) throws(FFmpegError) -> Packet {
        let packet = try Packet()
        try unsafe check(av_new_packet(packet.pointer, Int32(clamping: bytes.count)), "av_new_packet")
        if let other { try unsafe check(av_packet_copy_props(packet.pointer, other.pointer), "av_packet_copy_props") }
        if let headers {
            let place = unsafe try check(
                av_packet_new_side_data(packet.pointer, AV_PKT_DATA_NEW_EXTRADATA, headers.count),
                "av_packet_new_side_data")
            unsafe headers.withUnsafeBufferPointer { source in
                if let base = source.baseAddress { unsafe place.update(from: base, count: source.count) }
            }
        }
        if let target = unsafe packet.pointer.pointee.data {
            unsafe bytes.withUnsafeBufferPointer { source in
                guard let base = source.baseAddress else { return }
                unsafe target.update(from: base, count: min(source.count, Int(packet.pointer.pointee.size)))
            }
        }
        unsafe packet.pointer.pointee.pts = pointer.pointee.pts
        unsafe packet.pointer.pointee.dts = pointer.pointee.dts
        return packet
    }

    /// Takes the mark of a key frame away where the alpha depends on frames before it: encoders place the key frames of
    /// either stream by themselves, and decoding begins where both have one.
    func unmarkKeyWithoutAlphaKey(_ source: AlphaSource) {
        guard isKey, let bytes = alphaBytes(from: source) else { return }
        let isAlphaKey =
            switch source {
            case .blockAddition(let codec): Self.isKey(Array(bytes.prefix(2)), codec)
            case .layer(let layer): layer.isKey(bytes)
            }
        if !isAlphaKey { unmarkKey() }
    }

    private func alphaBytes(from source: AlphaSource) -> [UInt8]? {
        switch source {
        case .blockAddition: blockAddition
        case .layer(let layer): withBytes(layer.packet(of:))
        }
    }

    /// What follows the eight bytes of BlockAddID, where that is 1 (RFC 9559, BlockAddID).
    private var blockAddition: [UInt8]? {
        var size = 0
        guard let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size),
            size > 8, (0..<8).allSatisfy({ unsafe data[$0] == ($0 == 7 ? 1 : 0) })
        else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: data + 8, count: size - 8))
    }

    /// By the frame header: RFC 6386, 9.1, and "VP9 Bitstream & Decoding Process Specification", 6.2.
    private static func isKey(_ header: [UInt8], _ codec: AVCodecID) -> Bool {
        if codec == AV_CODEC_ID_VP8 { return header.first.map { $0 & 1 == 0 } ?? false }
        var bits = BitReader(header)
        guard bits.bits(2) == 2 else { return false }
        if bits.bits(2) == 3 { bits.skip(1) }
        let (showsExisting, isInter) = (bits.flag(), bits.flag())
        return !showsExisting && !isInter && !bits.isPastEnd
    }
}
