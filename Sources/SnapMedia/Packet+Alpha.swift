import CFFmpeg
import SnapBase

/// What Matroska and WebM have beside a packet of VP8 or VP9.
extension Packet {
    /// The packet of its alpha, for a decoder of its own; `nil` without.
    func alpha() throws(MediaError) -> Packet? {
        guard let bytes = unsafe alphaBytes else { return nil }
        let alpha = try Packet.allocate()
        do throws(FFmpegError) {
            try unsafe check(av_new_packet(alpha.pointer, Int32(clamping: bytes.count)), "av_new_packet")
        } catch {
            throw .failed(error)
        }
        if let target = unsafe alpha.pointer.pointee.data, let source = bytes.baseAddress {
            unsafe target.update(from: source, count: Int(alpha.pointer.pointee.size))
        }
        unsafe alpha.pointer.pointee.pts = pointer.pointee.pts
        unsafe alpha.pointer.pointee.dts = pointer.pointee.dts
        return alpha
    }

    /// Takes the mark of a key frame away where the alpha depends on frames before it: encoders place the key frames of
    /// either stream by themselves, and decoding begins where both have one.
    func unmarkKeyWithoutAlphaKey(_ codec: AVCodecID) {
        guard isKey, let bytes = unsafe alphaBytes, !Self.isKey(unsafe Array(bytes.prefix(2)), codec) else { return }
        unmarkKey()
    }

    /// What follows the eight bytes of BlockAddID, where that is 1 (RFC 9559, BlockAddID).
    private var alphaBytes: UnsafeBufferPointer<UInt8>? {
        var size = 0
        guard let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size),
            size > 8, (0..<8).allSatisfy({ unsafe data[$0] == ($0 == 7 ? 1 : 0) })
        else { return nil }
        return unsafe UnsafeBufferPointer(start: data + 8, count: size - 8)
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
