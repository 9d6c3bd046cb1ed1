import CFFmpeg

/// One packet of the video stream; owns the AVPacket.
///
/// A final class and not a noncopyable struct, because packets wait in arrays.
@safe final class Packet {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(FFmpegError) { unsafe pointer = try check(av_packet_alloc(), "av_packet_alloc") }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
        unsafe av_packet_free(&packet)
    }

    /// In ticks of the stream's time base; `nil` where the container has none.
    var presentation: Int64? {
        get { unsafe Ticks.plausible(pointer.pointee.pts) }
        set { unsafe pointer.pointee.pts = newValue ?? cff_no_timestamp }
    }
    var decoding: Int64? {
        get { unsafe Ticks.plausible(pointer.pointee.dts) }
        set { unsafe pointer.pointee.dts = newValue ?? cff_no_timestamp }
    }
    /// In ticks, 1 or more; `nil` where not known.
    var duration: Int64? { unsafe Ticks.plausible(pointer.pointee.duration).flatMap { $0 > 0 ? $0 : nil } }
    var byteCount: Int { unsafe Int(pointer.pointee.size) }
    /// Where it lies, in bytes from the start of the file; `nil` where not known.
    var position: Int64? {
        let position = unsafe pointer.pointee.pos
        return (0...ByteReader.lastPosition).contains(position) ? position : nil
    }
    var isKey: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Decoded, but not shown: an edit list starts after it.
    var isDiscarded: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    /// The demuxer knows that bytes are missing.
    var isCorrupt: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    func unmarkKey() { unsafe pointer.pointee.flags &= ~AV_PKT_FLAG_KEY }
    func markDiscarded() { unsafe pointer.pointee.flags |= AV_PKT_FLAG_DISCARD }
    func markCorrupt() { unsafe pointer.pointee.flags |= AV_PKT_FLAG_CORRUPT }
}

extension Packet {
    /// The same with the error of the layer above.
    static func allocate() throws(MediaError) -> Packet {
        do throws(FFmpegError) { return try Packet() } catch { throw .failed(error) }
    }

    /// Whether the bytes are encrypted (Common Encryption, ISO/IEC 23001-7) and no key was given.
    var isEncrypted: Bool { unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil }

    /// Tells its bytes from others: of their length, the first and the last thousand.
    var checksum: UInt32 {
        let bytes = unsafe UnsafeBufferPointer(start: pointer.pointee.data, count: byteCount).span
        var length = VarintWriter()
        length.add(UInt64(byteCount))
        let hash = FNV1a.hash32(bytes.extracting(first: 1024), from: FNV1a.hash32(length.bytes.span))
        return FNV1a.hash32(bytes.extracting(last: 1024), from: hash)
    }
}

extension Packet {
    /// The codec's headers, where they change with this packet.
    var newExtradata: [UInt8]? {
        var size = 0
        guard let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, &size) else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: data, count: size))
    }

    func withBytes<R>(_ body: (Span<UInt8>) -> R) -> R {
        let bytes = unsafe UnsafeBufferPointer(start: pointer.pointee.data, count: byteCount)
        return body(unsafe bytes.span)
    }
}
