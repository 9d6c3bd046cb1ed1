import CFFmpeg

@testable import SnapMedia

extension Packet {
    /// A packet that holds some bytes.
    static func of(_ bytes: [UInt8]) throws -> Packet {
        let packet = try Packet()
        try check(av_new_packet(packet.pointer, Int32(bytes.count)), "av_new_packet")
        if let data = packet.pointer.pointee.data { data.update(from: bytes, count: bytes.count) }
        return packet
    }
}
