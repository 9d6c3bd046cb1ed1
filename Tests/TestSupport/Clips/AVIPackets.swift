/// The pictures of an AVI file with one stream, to be put into it in another way. AVI has no times: the n-th packet is the
/// n-th of them.
struct AVIPackets {
    /// All that comes before the pictures.
    private var head: [UInt8]
    var packets: [[UInt8]] = []

    init(_ bytes: [UInt8]) throws {
        guard let movie = bytes.indices.first(where: { bytes[$0...].starts(with: Array("movi".utf8)) }), movie >= 8
        else {
            throw ProcessError("no pictures in an AVI file")
        }
        head = Array(bytes[..<(movie - 8)])
        let end = movie + Self.number(in: bytes, at: movie - 4)
        var place = movie + 4
        while place + 8 <= end, bytes[place...].starts(with: Array("00dc".utf8)) {
            let size = Self.number(in: bytes, at: place + 4)
            packets.append(Array(bytes[(place + 8)..<(place + 8 + size)]))
            place += 8 + size + size % 2
        }
    }

    /// The whole file, with an index.
    var bytes: [UInt8] {
        var movie = Array("movi".utf8)
        var index: [UInt8] = []
        for packet in packets {
            let isKey = Self.pictureType(of: packet) == 0
            index +=
                Array("00dc".utf8) + Self.bytes(isKey ? 0x10 : 0) + Self.bytes(movie.count) + Self.bytes(packet.count)
            movie += Array("00dc".utf8) + Self.bytes(packet.count) + packet
            if packet.count % 2 == 1 { movie.append(0) }
        }
        var head = head
        // How many pictures there are, in the header of the file and in that of the stream.
        for (name, offset) in [("avih", 24), ("strh", 40)] {
            guard let place = head.indices.first(where: { head[$0...].starts(with: Array(name.utf8)) }) else {
                continue
            }
            head.replaceSubrange((place + offset)..<(place + offset + 4), with: Self.bytes(packets.count))
        }
        let file =
            head + Array("LIST".utf8) + Self.bytes(movie.count) + movie + Array("idx1".utf8) + Self.bytes(index.count)
            + index
        return Array(file[..<4]) + Self.bytes(file.count - 8) + Array(file[8...])
    }

    /// Of MPEG-4 part 2: 0 for a key frame, 1 for a P-frame, 2 for a B-frame (ISO/IEC 14496-2, table 6-20).
    static func pictureType(of packet: [UInt8]) -> Int? {
        let place = packet.indices.dropLast(4).first { packet[$0...].starts(with: [0, 0, 1, 0xB6]) }
        return place.map { Int(packet[$0 + 4] >> 6) }
    }

    /// A frame of MPEG-4 part 2 that says that the one before it stays: a P-frame that is not coded, where times are counted
    /// in 1/25 s.
    static let repeatedFrame: [UInt8] = [0, 0, 1, 0xB6, 0x50, 0, 0]

    /// B-frames behind the frames before them, in one packet, and empty frames in their own, as DivX does, which says so in
    /// what it writes about itself: a `p` at the end.
    mutating func pack() {
        var packed: [[UInt8]] = []
        for packet in packets {
            if Self.pictureType(of: packet) == 2, let last = packed.popLast() {
                packed += [last + packet, Self.repeatedFrame]
            } else {
                packed.append(Self.naming("DivX503b1393p", in: packet))
            }
        }
        packets = packed
    }

    /// Another name for the encoder, where a packet has one (user_data; ISO/IEC 14496-2, 6.2.2.1).
    private static func naming(_ encoder: String, in packet: [UInt8]) -> [UInt8] {
        let starts = packet.indices.dropLast(3).filter { packet[$0...].starts(with: [0, 0, 1]) }
        guard let name = starts.firstIndex(where: { packet[$0 + 3] == 0xB2 }), name + 1 < starts.count else {
            return packet
        }
        return packet[..<(starts[name] + 4)] + Array(encoder.utf8) + packet[starts[name + 1]...]
    }

    /// Other packets in the same file.
    static func patch(_ name: String, _ change: @escaping @Sendable (inout AVIPackets) throws -> Void) -> BytePatch {
        BytePatch(name: name) { bytes in
            var video = try AVIPackets(bytes)
            try change(&video)
            return video.bytes
        }
    }

    private static func number(in bytes: [UInt8], at place: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
