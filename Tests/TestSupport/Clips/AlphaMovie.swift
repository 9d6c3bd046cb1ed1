/// A Matroska file of VP8 with a second stream of VP8 beside its packets, put together by RFC 9559: what an encoder may do,
/// and what it should not.
public struct AlphaMovie {
    /// The frames of either stream; `nil` for no alpha beside a picture.
    public var pictures: [[UInt8]]
    public var alphas: [[UInt8]?]

    /// - Parameters:
    ///   - pictures: In IVF.
    ///   - alphas: The same, of as many frames.
    public init(pictures: Clip, alphas: Clip) throws {
        self.pictures = Self.frames(try pictures.bytes())
        self.alphas = Self.frames(try alphas.bytes())
    }

    /// IVF: a header of 32 bytes, and 12 before each frame, which begin with its length.
    private static func frames(_ file: [UInt8]) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var rest = file.dropFirst(32)
        while rest.count > 12 {
            let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(12)
            frames.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return frames
    }

    /// Frames of 128x64, 40 ms each; a cluster for each key frame of the pictures.
    public var bytes: [UInt8] {
        let head = element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("webm".utf8)))
        let information = element([0x15, 0x49, 0xA9, 0x66], number([0x2A, 0xD7, 0xB1], 1_000_000, 3))
        let video = number([0xB0], 128, 1) + number([0xBA], 64, 1) + number([0x53, 0xC0], 1, 1)
        let track =
            number([0xD7], 1, 1) + number([0x73, 0xC5], 1, 1) + number([0x83], 1, 1)
            + element([0x86], Array("V_VP8".utf8)) + element([0xE0], video)
        var clusters: [UInt8] = []
        var cluster: [UInt8] = []
        var start = 0
        for (index, picture) in pictures.enumerated() {
            let isKey = picture.first.map { $0 & 1 == 0 } ?? false
            if isKey {
                if !cluster.isEmpty { clusters += element([0x1F, 0x43, 0xB6, 0x75], cluster) }
                start = 40 * index
                cluster = number([0xE7], start, 4)
            }
            let offset = 40 * index - start
            var group = element([0xA1], [0x81, UInt8(offset >> 8), UInt8(offset & 255), 0] + picture)
            if let alpha = alphas[index] {
                let more = number([0xEE], 1, 1) + element([0xA5], alpha)
                group += element([0x75, 0xA1], element([0xA6], more))
            }
            if !isKey { group += element([0xFB], [0xD8]) }  // 40 ms before
            cluster += element([0xA0], group)
        }
        clusters += element([0x1F, 0x43, 0xB6, 0x75], cluster)
        let segment = information + element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track)) + clusters
        return head + element([0x18, 0x53, 0x80, 0x67], segment)
    }

    private func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
        id + [0x08] + ISOBox.bigEndian(content.count, bytes: 4) + content
    }

    private func number(_ id: [UInt8], _ value: Int, _ bytes: Int) -> [UInt8] {
        element(id, ISOBox.bigEndian(value, bytes: bytes))
    }
}
