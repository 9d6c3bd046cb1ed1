/// What EXIF in a picture says, read by CIPA DC-008 and TIFF 6.0.
public struct EXIFReading: Equatable {
    public enum Value: Equatable {
        case text(String)
        case bytes([UInt8])
        case numbers([Int])
        case fractions([[Int]])
    }

    /// By tag.
    public private(set) var camera: [Int: Value] = [:]
    public private(set) var places: [Int: Value] = [:]

    /// - Returns: `nil` without EXIF, and for one that breaks the rules.
    public init?(jpeg file: [UInt8]) {
        guard let segment = Self.segments(ofJPEG: file).first(where: { $0.marker == 0xE1 }),
            segment.content.starts(with: Array("Exif\0\0".utf8))
        else { return nil }
        self.init(tiff: Array(segment.content.dropFirst(6)))
    }

    public init?(png file: [UInt8]) {
        guard let chunk = Self.chunks(ofPNG: file).first(where: { $0.type == "eXIf" }) else { return nil }
        self.init(tiff: chunk.content)
    }

    public static func segments(ofJPEG file: [UInt8]) -> [(marker: UInt8, content: [UInt8])] {
        guard file.starts(with: [0xFF, 0xD8]) else { return [] }
        var segments: [(UInt8, [UInt8])] = []
        var place = 2
        // Up to the start of the scan.
        while place + 4 <= file.count, file[place] == 0xFF, file[place + 1] != 0xDA {
            let length = Int(file[place + 2]) << 8 | Int(file[place + 3])
            segments.append((file[place + 1], Array(file[place + 4..<place + 2 + length])))
            place += 2 + length
        }
        return segments
    }

    public static func chunks(ofPNG file: [UInt8]) -> [(type: String, content: [UInt8])] {
        guard file.starts(with: [0x89] + Array("PNG\r\n".utf8)) else { return [] }
        var chunks: [(String, [UInt8])] = []
        var place = 8
        while place + 12 <= file.count {
            let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: file[place + 4..<place + 8], as: UTF8.self)
            chunks.append((type, Array(file[place + 8..<place + 8 + length])))
            place += 12 + length
        }
        return chunks
    }

    private init?(tiff: [UInt8]) {
        guard tiff.starts(with: Array("MM".utf8) + [0, 42]),
            let first = Self.directory(tiff, at: Self.number(tiff[4..<8])),
            first.keys.allSatisfy([0x8769, 0x8825].contains)
        else { return nil }
        if case .numbers(let place)? = first[0x8769] {
            guard let fields = Self.directory(tiff, at: place[0]) else { return nil }
            camera = fields
        }
        if case .numbers(let place)? = first[0x8825] {
            guard let fields = Self.directory(tiff, at: place[0]) else { return nil }
            places = fields
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func directory(_ tiff: [UInt8], at place: Int) -> [Int: Value]? {
        guard place % 2 == 0, place + 2 <= tiff.count else { return nil }
        var fields: [Int: Value] = [:]
        var last = -1
        let count = number(tiff[place..<place + 2])
        guard place + 6 + 12 * count <= tiff.count else { return nil }
        for index in 0..<count {
            let entry = place + 2 + 12 * index
            let (tag, kind) = (number(tiff[entry..<entry + 2]), number(tiff[entry + 2..<entry + 4]))
            let count = number(tiff[entry + 4..<entry + 8])
            guard tag > last, let size = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1][kind] else { return nil }
            last = tag
            let start = count * size <= 4 ? entry + 8 : number(tiff[entry + 8..<entry + 12])
            guard start % 2 == 0, start + count * size <= tiff.count else { return nil }
            let bytes = Array(tiff[start..<start + count * size])
            let words = stride(from: 0, to: bytes.count, by: kind == 3 ? 2 : 4).map {
                number(bytes[$0..<min($0 + (kind == 3 ? 2 : 4), bytes.count)])
            }
            switch kind {
            case 2:
                guard bytes.last == 0 else { return nil }
                fields[tag] = .text(String(decoding: bytes.dropLast(), as: UTF8.self))
            case 1, 7: fields[tag] = .bytes(bytes)
            case 5:
                fields[tag] = .fractions(stride(from: 0, to: words.count, by: 2).map { [words[$0], words[$0 + 1]] })
            default: fields[tag] = .numbers(words)
            }
        }
        return number(tiff[place + 2 + 12 * count..<place + 6 + 12 * count]) == 0 ? fields : nil
    }
}
