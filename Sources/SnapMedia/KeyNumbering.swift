/// Finds out how many frames come on screen before each key frame, while a stream is decoded from the start or from a key
/// frame whose number is known.
struct KeyNumbering {
    /// A key frame that was sent to the decoder.
    struct Key {
        fileprivate(set) var number: Int64
        let presentation: Int64?
        let position: Int64?
        let checksum: UInt32
        fileprivate let entry: PictureRoleReader.Entry
    }

    /// How many packets were sent since the start, and frames came; `nil` where they are not counted.
    private var sent: Int64?
    private var came: Int64 = 0
    private var waiting: [Key] = []

    /// - Parameter number: Of the frame that comes next; `nil` where nobody knows, or where frames may be lacking.
    mutating func restart(at number: Int64?) {
        sent = number
        came = number ?? 0
        waiting = []
    }

    mutating func sent(_ packet: Packet, _ entry: PictureRoleReader.Entry?) {
        guard let sent else { return }
        if let entry {
            waiting.append(
                Key(
                    number: sent, presentation: packet.presentation, position: packet.position,
                    checksum: packet.checksum, entry: entry))
        }
        self.sent = sent + 1
    }

    /// - Returns: The key frame that this frame is, with its number; `nil` where it is none.
    mutating func came(_ frame: borrowing VideoFrame) -> Key? {
        guard sent != nil else { return nil }
        if frame.isDamaged {
            restart(at: nil)
            return nil
        }
        let number = came
        came += 1
        guard frame.isKey, var key = waiting.first else { return nil }
        switch key.entry {
        // A picture for each packet before it, no more and no less: not so where a packet is a field.
        case .complete where number < key.number: return nil
        case .complete where number > key.number:
            restart(at: nil)
            return nil
        case .complete, .leading:
            waiting.removeFirst()
            key.number = number
            return key
        }
    }

    /// The frame that came is not to be counted.
    mutating func leftOut() { came -= 1 }
}
