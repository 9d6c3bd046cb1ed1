import CFFmpeg

/// Of which packets a decoder said that the picture is not what was coded, because something that it needs is missing or
/// broken; or did not say that it went to the end of the picture, where it says so.
@safe struct LossCount: ~Copyable {
    /// `nil` where nothing is counted.
    private let count = unsafe cff_loss_count_alloc()
    /// Of the packets sent, modulo its range.
    private var sent: UInt32 = 0
    /// The packets of which it has to say that it went to the end.
    private var unfinished: [UInt32] = []
    /// The packets sent last, with their presentation times.
    private var times: [(packet: UInt32, presentation: Int64)] = []
    private static let most = Int(cff_loss_count_packets)

    deinit { unsafe cff_loss_count_free(count) }

    /// A packet is about to be sent to a decoder: what it says of it is counted by itself.
    ///
    /// - Parameter endIsTold: Whether the decoder says when it has gone to the end of the packet's picture.
    mutating func willSend(_ packet: Packet, to context: UnsafeMutablePointer<AVCodecContext>, endIsTold: Bool) {
        sent &+= 1
        unsafe context.pointee.opaque = cff_loss_count_of_packet(count, sent)
        guard endIsTold, unsafe count != nil, let time = packet.presentation else { return }
        unfinished.append(sent)
        times.append((sent, time))
        if times.count > Self.most / 2 { times.removeFirst() }
        if unfinished.count > Self.most / 2 { unfinished.removeFirst() }
    }

    /// The packets whose pictures it said that of since it was asked last: 0 for the one sent last, 1 for the one before.
    ///
    /// - Parameter depth: How many of the last packets it may be at work on.
    func take(depth: Int) -> [Int] {
        let depth = min(depth, Self.most)
        return (0..<depth).filter { unsafe cff_loss_count_take(count, sent &- UInt32($0)) > 0 }
    }

    /// The decoder is done with a packet, and so with all before it: those of which it did not say that it went to the end.
    ///
    /// - Parameter packetsAgo: 0 for the one that was sent last.
    mutating func takeUnfinished(upTo packetsAgo: Int) -> [Int] {
        var found: [Int] = []
        while let first = unfinished.first, Int(sent &- first) >= packetsAgo {
            unfinished.removeFirst()
            if unsafe cff_loss_count_is_whole(count, first) == 0 { found.append(Int(sent &- first)) }
        }
        return found
    }

    /// How many packets ago the one was sent that is shown at a time, the first of several; `nil` where that is not known.
    func packetsAgo(presentation: Int64) -> Int? {
        times.first { $0.presentation == presentation }.map { Int(sent &- $0.packet) }
    }

    /// The decoder was flushed.
    mutating func forget() {
        unsafe cff_loss_count_forget(count)
        unfinished = []
        times = []
    }
}
