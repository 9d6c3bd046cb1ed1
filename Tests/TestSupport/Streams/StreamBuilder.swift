import Foundation
import SnapBase

/// Puts segments behind each other into a media playlist.
struct StreamBuilder {
    /// How segments lie in files.
    enum Layout: String, Sendable, CaseIterable {
        case plain
        case byteRange = "byte-range"
        case encrypted = "aes-128"
    }

    var layout = Layout.plain
    var firstSequence = 0
    /// How much longer than it is a segment is said to be.
    var drift = MediaTime.zero
    var hasIntegerDurations = false
    /// Left out: said to be (a gap), or simply not there.
    var gap: Int?
    var missing: Int?
    /// Before the first segment, as lines.
    var head: [String] = []
    /// What segment files are called, and what the playlist calls them; `nil` for plain names with the container's
    /// extension.
    var naming: (@Sendable (Int) -> (file: String, reference: String))?
    /// Put before every segment's bytes.
    var prefix: [UInt8] = []
    /// An IV in the playlist, instead of the sequence number.
    var explicitVector = false
    /// A new key from this segment on.
    var rotation: Int?
    var startDate: String?

    private var lines: [String] = []
    private var made: StreamCase
    private var joined: [UInt8] = []
    private var domain = 0
    private var maps = 0
    private var start = MediaTime.zero
    private var keysWritten = 0

    init(_ name: String) { made = StreamCase(name: name, entry: "list.m3u8") }

    /// Adds segments of one clip.
    ///
    /// - Parameters:
    ///   - first: The number of the clip's first frame.
    ///   - isNewDomain: Whether a discontinuity stands before them.
    mutating func add(_ clip: SegmentedClip, first: Int, isNewDomain: Bool) throws {
        if isNewDomain {
            lines.append("#EXT-X-DISCONTINUITY")
            domain += 1
        }
        // A map behind a key is encrypted too, and then its IV must be in the playlist.
        if layout == .encrypted, explicitVector { try writeKey() }
        if layout == .encrypted, !explicitVector, keysWritten > 0 { lines.append("#EXT-X-KEY:METHOD=NONE") }
        if let map = clip.initialization { try writeMap(map) }
        if layout == .encrypted, !explicitVector { try writeKey() }
        let times = clip.segments.flatMap(\.packets).map(\.presentation).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(times, first...))
        for segment in clip.segments {
            let index = made.segments.count
            var duration = segment.duration
            if hasIntegerDurations { duration = MediaTime(seconds: (duration + MediaTime(1, over: 2)!).wholeSeconds) }
            duration = duration + drift
            if rotation == index { try writeKey() }
            if index == 0, let startDate { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(startDate)") }
            if gap == index { lines.append("#EXT-X-GAP") }
            lines.append("#EXTINF:\(hasIntegerDurations ? String(duration.wholeSeconds) : duration.sixPlaces),")
            try write(segment.bytes, index, clip)
            made.segments.append(
                StreamCase.Segment(
                    start: start, duration: duration, domain: domain, map: maps,
                    isAvailable: gap != index && missing != index,
                    frames: segment.packets.map {
                        (
                            MediaTime($0.presentation, over: clip.ticksPerSecond)!,
                            numbers[$0.presentation] ?? -1
                        )
                    }))
            start = start + duration
        }
    }

    private mutating func write(_ plain: [UInt8], _ index: Int, _ clip: SegmentedClip) throws {
        let usual = "seg\(index)" + (clip.initialization == nil ? ".ts" : ".m4s")
        let (name, reference) = naming?(index) ?? (usual, usual)
        let bytes = prefix + plain
        switch layout {
        case .plain: if missing != index, gap != index { made.files[name] = bytes }
        case .encrypted:
            let vector =
                explicitVector ? Self.vector : Self.vector(ofSequence: firstSequence + index)
            if missing != index, gap != index {
                made.files[name] = try Cipher.encrypt(bytes, key: Self.key(keysWritten), vector: vector)
            }
        case .byteRange:
            let file = "all" + (clip.initialization == nil ? ".ts" : ".mp4")
            if missing == index {
                lines += ["#EXT-X-BYTERANGE:\(bytes.count)@0", "nowhere" + file]
                return
            }
            lines += ["#EXT-X-BYTERANGE:\(bytes.count)@\(joined.count)", file]
            joined += bytes
            made.files[file] = joined
            return
        }
        lines.append(reference)
    }

    private mutating func writeMap(_ map: [UInt8]) throws {
        maps += 1
        if layout == .byteRange {
            lines.append("#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"\(map.count)@\(joined.count)\"")
            joined += map
            return
        }
        let name = "init\(maps).mp4"
        lines.append("#EXT-X-MAP:URI=\"\(name)\"")
        made.files[name] =
            layout == .encrypted && explicitVector
            ? try Cipher.encrypt(map, key: Self.key(keysWritten), vector: Self.vector) : map
    }

    private mutating func writeKey() throws {
        keysWritten += 1
        let name = "key\(keysWritten).bin"
        made.files[name] = Self.key(keysWritten)
        let digits = Self.vector.map { String(Int($0) + 256, radix: 16).suffix(2) }.joined()
        let vector = explicitVector ? ",IV=0x\(digits)" : ""
        lines.append("#EXT-X-KEY:METHOD=AES-128,URI=\"\(name)\"\(vector)")
    }

    static let vector: [UInt8] = (1...16).map { $0 * 7 }
    private static func vector(ofSequence number: Int) -> [UInt8] {
        (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * (15 - $0))) }
    }
    static func key(_ number: Int) -> [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: $0 * 11 + number * 31) } }

    /// The stream. With sound in a playlist of its own, behind a list of variants.
    func finished(soundApart: Bool = false, isLive: Bool = false) -> StreamCase {
        var result = made
        let longest = made.segments.map(\.duration).max() ?? .zero
        let text =
            ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\((longest + MediaTime(1, over: 2)!).wholeSeconds)"]
            + ["#EXT-X-MEDIA-SEQUENCE:\(firstSequence)"] + head + lines + (isLive ? [] : ["#EXT-X-ENDLIST"])
        result.files["list.m3u8"] = Array(text.joined(separator: "\n").utf8)
        if soundApart {
            result.entry = "master.m3u8"
            result.files["master.m3u8"] = Array(
                """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="sound",DEFAULT=YES,URI="sound.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=192x108,CODECS="avc1.64000b,mp4a.40.2",AUDIO="a"
                list.m3u8
                """.utf8)
        }
        return result
    }
}

/// AES-128 by the openssl command.
enum Cipher {
    static func encrypt(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) throws -> [UInt8] {
        func hex(_ bytes: [UInt8]) -> String { bytes.map { String(Int($0) + 256, radix: 16).suffix(2) }.joined() }
        let result = try ProcessRunner.run(
            "openssl", ["enc", "-aes-128-cbc", "-K", hex(key), "-iv", hex(vector)], input: bytes)
        guard result.exitCode == 0 else { throw ProcessError("openssl: \(result.messages)") }
        return result.standardOutput
    }
}

extension MediaTime {
    /// As EXTINF has it: `2.020000`.
    var sixPlaces: String {
        let micros = (scaled(by: 1_000_000, over: 1) + MediaTime(1, over: 2)!).wholeSeconds
        let fraction = String(micros % 1_000_000)
        return "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
