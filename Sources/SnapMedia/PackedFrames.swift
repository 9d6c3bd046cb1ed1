import CFFmpeg
import SnapBase

/// MPEG-4 part 2 as AVI has it: with packed frames, and with frames that say that the one before stays.
///
/// AVI has a time for each packet and no other. So that a decoder needs to hold back nothing, DivX put each B-frame into the
/// packet of the frame before, behind it, and an empty frame into the packet of its own. They are put back where they belong
/// (FFmpeg's bitstream filter `mpeg4_unpack_bframes`).
@safe struct PackedFrames: ~Copyable {
    private let filter: UnsafeMutablePointer<AVBSFContext>

    /// - Returns: `nil` where there are none.
    init?(in stream: UnsafeMutablePointer<AVStream>, formatNames: Set<String>) {
        // Matroska can hold AVI's packets as they are.
        guard unsafe stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_MPEG4,
            !formatNames.isDisjoint(with: ["avi", "matroska"]),
            let kind = unsafe av_bsf_get_by_name("mpeg4_unpack_bframes")
        else { return nil }
        var filter: UnsafeMutablePointer<AVBSFContext>?
        guard unsafe av_bsf_alloc(kind, &filter) >= 0, let made = unsafe filter else { return nil }
        guard unsafe avcodec_parameters_copy(made.pointee.par_in, stream.pointee.codecpar) >= 0,
            unsafe av_bsf_init(made) >= 0
        else {
            unsafe av_bsf_free(&filter)
            return nil
        }
        unsafe self.filter = made
    }

    deinit {
        var filter: UnsafeMutablePointer<AVBSFContext>? = unsafe filter
        unsafe av_bsf_free(&filter)
    }

    /// Puts the frame into a packet that belongs there.
    ///
    /// - Returns: Whether there is one.
    func unpack(_ packet: Packet) -> Bool {
        // It would mean the end of the stream to the filter.
        if packet.byteCount == 0 { return true }
        guard unsafe av_bsf_send_packet(filter, packet.pointer) >= 0 else { return true }
        return unsafe av_bsf_receive_packet(filter, packet.pointer) >= 0
    }

    /// Packets from another place follow.
    func restart() { unsafe av_bsf_flush(filter) }

    /// Whether a packet's frame says only that the one before stays (a VOP that is not coded; ISO/IEC 14496-2, 6.3.5), so
    /// that the decoder gives none. What is told by its length may also be a small frame that says of each part that it
    /// stays, which is the same.
    func isRepeat(_ packet: Packet) -> Bool {
        packet.byteCount <= Self.longestRepeat
            && packet.withBytes { bytes in
                var isRepeat = false
                StartCodes.forEach(in: bytes) { place in
                    guard bytes[place] == 0xB6, place + 1 < bytes.count else { return true }
                    isRepeat = bytes[place + 1] >> 6 == 1
                    return false
                }
                return isRepeat
            }
    }

    /// In bytes; as FFmpeg's decoder tells them.
    private static let longestRepeat = 19
}
