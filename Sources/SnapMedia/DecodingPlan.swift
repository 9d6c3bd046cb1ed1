/// The frame that packets are decoded for.
struct Aim {
    /// The time at which it is on screen, in ticks.
    let target: Int64
    /// The time that will be asked for afterwards; `nil` for none.
    let next: Int64?
    /// Whether packets that it can't depend on are left out.
    let isSparing: Bool
}

/// What has to be decoded for an ``Aim`` from where the demuxer stands.
struct DecodingPlan {
    /// Once a packet is decoded later than this, the decoder is drained: what it holds is all that can be shown by then.
    var drainTime: Int64?
    /// Behind this packet the decoder is drained: nothing that follows is needed.
    var lastPacket: Packet?
    /// Behind this packet more has to be looked at: the plan ends before the target.
    var lastLookedAt: Packet?
    /// When the frame comes on screen, as its packet says; `nil` where everything is decoded.
    var expected: Int64?
    /// The latest presentation of the packets that were left out.
    var lastLeftOut: Int64?
}
