import Foundation
import SnapBase
import TestSupport
import Testing

@testable import SnapPlaylist

/// Real playlists, where they are there, against what another parser reads in them.
@Suite("Real playlists")
struct RealPlaylistTests {
    struct Expected: Decodable {
        struct Segment: Decodable { let duration: Double? }
        struct Variant: Decodable { let uri: String }
        let file: String
        let multivariant: Bool?
        let variants: [Variant]?
        let iframe_variants: [Variant]?
        let media_sequence: UInt64?
        let endlist: Bool?
        let segments: [Segment]?
        let oracle_error: String?
    }

    static let expected: [Expected] = {
        guard let path = SharedMedia.playlist("expected.jsonl"),
            let text = try? String(contentsOfFile: path, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Expected.self, from: Data($0.utf8)) }
    }()

    /// What the other parser forgives and this one refuses, by the reason.
    private static let refused: [PlaylistError.Code: Set<String>] = [
        // The first line must be #EXTM3U (RFC 8216, 4.3.1.1).
        .notAPlaylist: [
            "eyevinn-master-with-hlsv7.m3u8", "eyevinn-media-playlist-with-discontinuity.m3u8", "m3u8parser-empty.m3u8",
            "m3u8parser-manifestNoExtM3u.m3u8", "m3u8parser-master.m3u8", "m3u8parser-start.m3u8",
        ],
        // Variables of a multivariant playlist or a URL that these files come without.
        .undefinedVariable: [
            "eyevinn-master-with-defines-invalid.m3u8", "eyevinn-master-with-defines.m3u8",
            "eyevinn-master-with-req-video-layout.m3u8", "eyevinn-media-playlist-with-queryparam.m3u8",
        ],
        // Updates of a list that would have to be asked for.
        .unsupported: [
            "eyevinn-media-playlist-with-skip.m3u8", "m3u8parser-llhls-delta-byte-range.m3u8",
            "m3u8parser-llhlsDelta.m3u8",
        ],
        // No EXTINF, a negative duration, an IV that is no number, a byte range without an offset that it needs.
        .malformed: [
            "eyevinn-bad-media-playlist-with-gap.m3u8", "eyevinn-media-playlist-with-iframes-only-and-map.m3u8",
            "eyevinn-media-playlist-with-iframes-only.m3u8", "eyevinn-media-playlist-with-key.m3u8",
            "m3u8parser-byteRange.m3u8", "m3u8parser-liveMissingSegmentDuration.m3u8",
            "m3u8parser-llhls-byte-range.m3u8", "m3u8parser-manifestExtTTargetdurationNegative.m3u8",
            "m3u8parser-missingExtinf.m3u8", "m3u8parser-missingSegmentDuration.m3u8",
            "m3u8parser-multipleTargetDurations.m3u8",
        ],
    ]

    @Test("They are read as another parser reads them, or refused for a reason", .enabled(if: !expected.isEmpty))
    func all() throws {
        var different: [String] = []
        for expected in Self.expected where expected.oracle_error == nil {
            guard let path = SharedMedia.playlist("lists/" + expected.file) else { continue }
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            if let reason = Self.refused.first(where: { $0.value.contains(expected.file) })?.key {
                #expect(failure(String(decoding: bytes, as: UTF8.self))?.code == reason, "\(expected.file)")
            } else if let difference = Self.difference(bytes, expected) {
                different.append("\(expected.file): \(difference)")
            }
        }
        #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
    }

    private static func difference(_ bytes: [UInt8], _ expected: Expected) -> String? {
        do throws(PlaylistError) {
            switch try Playlist.parse(bytes) {
            case .multivariant(let list):
                if expected.multivariant != true { return "read as variants" }
                let uris = list.variants.map(\.uri)
                return uris == expected.variants?.map(\.uri) ? nil : "variants \(uris)"
            case .media(let list):
                if expected.multivariant != false { return "read as segments" }
                if list.isEnded != expected.endlist { return "ended \(list.isEnded)" }
                if list.mediaSequence != expected.media_sequence ?? 0 { return "sequence \(list.mediaSequence)" }
                let durations = list.segments.filter(\.isComplete).map(\.duration.approximateSeconds)
                let others = expected.segments?.compactMap(\.duration) ?? []
                guard durations.count == others.count else { return "\(durations.count) segments, not \(others.count)" }
                return zip(durations, others).allSatisfy { abs($0 - $1) < 1e-6 } ? nil : "durations \(durations)"
            }
        } catch {
            return "\(error)"
        }
    }
}
