/// Units of H.264 and H.265 as streams of bytes have them (ITU-T H.264 and H.265, annex B).
public enum NALUnit {
    /// A unit behind its start code, with a 3 wherever its bytes would look like one.
    public static func behindStartCode(_ unit: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 1]
        var zeros = 0
        for byte in unit {
            if zeros >= 2, byte <= 3 {
                bytes.append(3)
                zeros = 0
            }
            bytes.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return bytes
    }
}
