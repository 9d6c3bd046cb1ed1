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

    /// Cropping of a Matroska video, in place of what its track says of colours, and the shape in which the rest is shown.
    static func pixelCrop(left: UInt8, right: UInt8, top: UInt8, bottom: UInt8, shown: (width: UInt8, height: UInt8)?)
        -> BytePatch
    {
        BytePatch(name: "pixel crop \(left) \(right) \(top) \(bottom) \(shown.map { "\($0)" } ?? "")") { bytes in
            var bytes = bytes
            // Colour, with its size in one byte, and MatrixCoefficients in it.
            guard let colour = bytes.firstRange(of: [0x55, 0xB0]), case let size = Int(bytes[colour.upperBound] & 0x7F),
                bytes[(colour.upperBound + 1)...].prefix(size).firstRange(of: [0x55, 0xB1, 0x81]) != nil
            else { throw ProcessError("no colours to patch") }
            let crop: [UInt8] = [
                0x54, 0xCC, 0x81, left, 0x54, 0xDD, 0x81, right, 0x54, 0xBB, 0x81, top, 0x54, 0xAA, 0x81, bottom,
            ]
            // A Void takes up what is left.
            let rest = size + 3 - crop.count - 2
            let void = [0xEC, 0x80 | UInt8(rest)] + [UInt8](repeating: 0, count: rest)
            bytes.replaceSubrange(colour.lowerBound..<colour.upperBound + 1 + size, with: crop + void)
            guard let shown else { return bytes }
            // DisplayWidth and DisplayHeight, in one byte each.
            for (kind, side) in [(0xB0, shown.width), (0xBA, shown.height)] as [(UInt8, UInt8)] {
                guard let place = bytes.firstRange(of: [0x54, kind, 0x81]) else { throw ProcessError("no shape") }
                bytes[place.upperBound] = side
            }
            return bytes
        }
    }

    /// Matroska's chapters, which say from then on what is shown. Those with the title `elsewhere` are of another file.
    static let orderedChapters = BytePatch(name: "ordered chapters") { bytes in
        var bytes = bytes
        // EditionFlagDefault, 1, becomes EditionFlagOrdered.
        guard let flag = bytes.firstRange(of: [0x45, 0xDB, 0x81, 0x01]) else { throw ProcessError("no chapters") }
        bytes[flag.lowerBound + 1] = 0xDD
        // A ChapterDisplay of 17 bytes becomes a ChapterSegmentUUID of 16.
        let title = [0x80, 0x91, 0x85, 0x89] + Array("elsewhere".utf8)
        while let place = bytes.firstRange(of: title) {
            let uuid = [0x6E, 0x67, 0x90] + [UInt8](repeating: 0xA5, count: 16)
            bytes.replaceSubrange(place.lowerBound..<place.lowerBound + uuid.count, with: uuid)
        }
        return bytes
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

    /// The first pictures of a transport stream lose their times (ITU-T H.222.0, 2.4.3.6).
    static func withoutTimes(first count: Int) -> BytePatch {
        BytePatch(name: "without times \(count)") { bytes in
            var (bytes, left) = (bytes, count)
            for i in 0..<bytes.count - 9 where left > 0 && bytes[i...i + 3].elementsEqual([0, 0, 1, 0xE0]) {
                // Neither kind of time, and filling in their place.
                bytes[i + 7] &= 0x3F
                for place in i + 9..<i + 9 + Int(bytes[i + 8]) { bytes[place] = 0xFF }
                left -= 1
            }
            guard left == 0 else { throw ProcessError("\(left) of \(count) pictures are missing") }
            return bytes
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
