import SnapBase

/// What can be odd about a stream.
public enum Oddity: String, Sendable, CaseIterable {
    case none = "plain"
    case twoMaps = "two-maps"
    case reset = "timestamps-reset"
    case longDurations = "durations-20-ms-long"
    case shortDurations = "durations-20-ms-short"
    case integerDurations = "integer-durations"
    case gap
    case missing = "404"
    case wrapInside = "clock-wraps-inside"
    case wrapBetween = "clock-wraps-between"
    case noLeadingKey = "no-leading-key-frame"
    case openGOP = "open-gop"
    case variableRate = "variable-rate"

    var isForTransportStreamOnly: Bool { self == .wrapInside || self == .wrapBetween }
    var isForMP4Only: Bool { self == .twoMaps }
}

extension StreamCase {
    /// One stream of the matrix, by name; it is made when it is asked for.
    public struct Entry: Sendable, CustomStringConvertible {
        let container: SegmentedClip.Container
        let layout: StreamBuilder.Layout
        let soundApart: Bool
        public let oddity: Oddity

        public var description: String {
            "\(container.rawValue) \(layout.rawValue) \(soundApart ? "demuxed" : "muxed") \(oddity.rawValue)"
        }

        public func make() throws -> StreamCase { try StreamCase.make(self) }
    }

    /// Every container, layout and oddity, with sound in the segments and apart.
    public static let matrix: [Entry] = SegmentedClip.Container.allCases.flatMap { container in
        StreamBuilder.Layout.allCases.flatMap { layout in
            [false, true].flatMap { soundApart in
                Oddity.allCases
                    .filter { container == .transportStream ? !$0.isForMP4Only : !$0.isForTransportStreamOnly }
                    .map { Entry(container: container, layout: layout, soundApart: soundApart, oddity: $0) }
            }
        }
    }

    static func make(_ entry: Entry) throws -> StreamCase {
        var builder = StreamBuilder(entry.description)
        builder.layout = entry.layout
        builder.explicitVector = entry.soundApart
        builder.firstSequence = 7
        func cut(_ clip: Clip, every seconds: String = "2", _ arguments: [String] = []) throws -> SegmentedClip {
            try SegmentedClip.cut(
                clip, entry.container, withSound: !entry.soundApart, seconds: seconds, arguments)
        }
        switch entry.oddity {
        case .none: try builder.add(cut(.streamed), first: 0, isNewDomain: false)
        case .twoMaps:
            try builder.add(cut(.streamed), first: 0, isNewDomain: false)
            try builder.add(
                cut(.streamedSecond, ["-output_ts_offset", "8"]), first: 200, isNewDomain: false)
        case .reset:
            try builder.add(cut(.streamed), first: 0, isNewDomain: false)
            try builder.add(cut(.streamedSecond), first: 200, isNewDomain: true)
        case .longDurations, .shortDurations:
            builder.drift = MediaTime(entry.oddity == .longDurations ? 1 : -1, over: 50)!
            try builder.add(cut(.streamed), first: 0, isNewDomain: false)
        case .integerDurations:
            builder.hasIntegerDurations = true
            try builder.add(cut(.streamedSlowly, every: "2.4"), first: 0, isNewDomain: false)
        case .gap, .missing:
            if entry.oddity == .gap { builder.gap = 1 } else { builder.missing = 1 }
            try builder.add(cut(.streamed), first: 0, isNewDomain: false)
        case .wrapInside, .wrapBetween:
            // 2^33 ticks are 95443.717689 s; the clip's own first frame comes 0.08 s after the offset.
            let offset = entry.oddity == .wrapInside ? "95440.517689" : "95441.637689"
            try builder.add(cut(.streamed, ["-output_ts_offset", offset]), first: 0, isNewDomain: false)
        case .noLeadingKey:
            let clip =
                entry.container == .transportStream
                ? try cut(.streamed, every: "1.5", ["-hls_flags", "split_by_time"])
                : try SegmentedClip.fragments(of: .streamed, withSound: !entry.soundApart, seconds: 1.5)
            try builder.add(clip, first: 0, isNewDomain: false)
        case .openGOP: try builder.add(cut(.streamedOpenGOP), first: 0, isNewDomain: false)
        case .variableRate:
            let clip =
                entry.container == .transportStream
                ? try cut(.streamedUnevenly)
                : try SegmentedClip.fragments(of: .streamedUnevenly, withSound: !entry.soundApart, seconds: nil)
            try builder.add(clip, first: 0, isNewDomain: false)
        }
        return builder.finished(soundApart: entry.soundApart)
    }
}

/// What streams are cut from: 8 seconds with sound.
extension Clip {
    private static func withSound(_ name: String, from source: FrameSource, _ arguments: [String]) -> Clip {
        Clip(
            name, "mp4", .steady(source.count, per: 12800, step: 512, first: source.first),
            .commands(
                [
                    ["{source}", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-map", "0:v"]
                        + ["-map", "1:a"] + arguments + ["-c:a", "aac", "-b:a", "32k", "-shortest", "{out}"]
                ], sources: [source], clips: []))
    }

    public static let streamed = withSound("streamed", from: FrameSource(count: 200), x264("keyint=25:min-keyint=25"))
    static let streamedLarge = withSound(
        "streamed-large", from: FrameSource(width: 640, height: 360, count: 200), x264("keyint=25:min-keyint=25"))
    static let streamedMiddle = withSound(
        "streamed-middle", from: FrameSource(width: 384, height: 216, count: 200), x264("keyint=25:min-keyint=25"))
    /// What comes behind it, of another size.
    static let streamedSecond = withSound(
        "streamed-second", from: FrameSource(width: 256, height: 144, first: 200, count: 100),
        x264("keyint=25:min-keyint=25"))
    static let streamedSlowly = withSound(
        "streamed-slowly", from: FrameSource(count: 240), x264("keyint=60:min-keyint=60"))
    static let streamedOpenGOP = withSound(
        "streamed-open-gop", from: FrameSource(count: 200), x264("keyint=25:min-keyint=25:open-gop=1"))
    static let streamedUnevenly = withSound(
        "streamed-unevenly", from: FrameSource(count: 60), unevenFilter + x264)
}
