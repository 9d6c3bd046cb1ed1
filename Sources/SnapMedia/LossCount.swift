import CFFmpeg

/// Of which packets a decoder said that the picture is not what was coded, because something that it needs is missing or
/// broken.
@safe struct LossCount: ~Copyable {
    /// `nil` where nothing is counted.
    private let count = unsafe cff_loss_count_alloc()
    /// Of the packets sent, modulo its range.
    private var sent: UInt32 = 0

    deinit { unsafe cff_loss_count_free(count) }

    /// A packet is about to be sent to a decoder: what it says of it is counted by itself.
    mutating func willSend(to context: UnsafeMutablePointer<AVCodecContext>) {
        sent &+= 1
        unsafe context.pointee.opaque = cff_loss_count_of_packet(count, sent)
    }

    /// The packets whose pictures it said that of since it was asked last: 0 for the one sent last, 1 for the one before.
    ///
    /// - Parameter depth: How many of the last packets it may be at work on.
    func take(depth: Int) -> [Int] {
        let depth = min(depth, Int(cff_loss_count_packets))
        return (0..<depth).filter { unsafe cff_loss_count_take(count, sent &- UInt32($0)) > 0 }
    }

    /// The decoder was flushed.
    func forget() { unsafe cff_loss_count_forget(count) }
}
