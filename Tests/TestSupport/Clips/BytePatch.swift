/// A change to the bytes of a clip, with a name that says all that it depends on.
struct BytePatch: Sendable {
    let name: String
    let apply: @Sendable ([UInt8]) throws -> [UInt8]

    /// The first part of a file.
    static func truncate(toThousandths part: Int) -> BytePatch {
        BytePatch(name: "truncate \(part)") { Array($0.prefix($0.count * part / 1000)) }
    }

    /// Some bits turned over, anywhere.
    static func flipBits(_ count: Int, seed: UInt64) -> BytePatch {
        BytePatch(name: "flip \(count) \(seed)") { bytes in
            var (bytes, random) = (bytes, SeededRandom(seed: seed))
            for _ in 0..<count {
                bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            return bytes
        }
    }

    /// Every place that holds some bytes, changed.
    static func replaceAll(
        _ pattern: [UInt8], name: String, _ change: @escaping @Sendable (inout [UInt8], Int) -> Void
    ) -> BytePatch {
        BytePatch(name: name) { bytes in
            var (bytes, found) = (bytes, 0)
            for i in 0...(bytes.count - pattern.count) where bytes[i..<i + pattern.count].elementsEqual(pattern) {
                change(&bytes, i)
                found += 1
            }
            guard found > 0 else { throw ProcessError("nothing to patch for \(name)") }
            return bytes
        }
    }

    /// Predicted pictures of an H.264 byte stream, counted from 0, each of one slice, with a message before them that
    /// says that whoever starts there has whole pictures at once (ITU-T H.264, D.1.8).
    static func claimRecovery(atPictures claiming: Set<Int>) -> BytePatch {
        BytePatch(name: "claim recovery \(claiming.sorted())") { bytes in
            var (result, pictures, found): ([UInt8], Int, Int) = ([], 0, 0)
            for i in bytes.indices {
                if i + 3 < bytes.count, bytes[i...i + 2].elementsEqual([0, 0, 1]), [1, 5].contains(bytes[i + 3] & 31) {
                    if claiming.contains(pictures), bytes[i + 3] & 31 == 1 {
                        result += [0, 0, 1, 6, 6, 1, 0xC4, 0x80]
                        found += 1
                    }
                    pictures += 1
                }
                result.append(bytes[i])
            }
            guard found == claiming.count else { throw ProcessError("\(found) of \(claiming) can claim recovery") }
            return result
        }
    }

    /// A change to the boxes of an MP4 file.
    static func boxes(_ name: String, _ change: @escaping @Sendable (inout [ISOBox]) throws -> Void) -> BytePatch {
        BytePatch(name: name) { bytes in
            var boxes = try ISOBox.parse(bytes[...])
            try change(&boxes)
            return boxes.flatMap(\.bytes)
        }
    }
}
