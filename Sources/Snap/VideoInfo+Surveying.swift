import SnapBase
import SnapMedia

extension VideoInfo {
    /// Looks at the first packets and the first frame.
    ///
    /// - Parameters:
    ///   - length: Of the video, as its footage knows it.
    ///   - start: When the first frame is presented by the container's clock.
    init(
        surveying seeker: FrameSeeker, facts: StreamFacts, length: MediaTime, start: FrameTime, errors: ErrorSource
    ) throws(SnapError) {
        let survey = try errors.converting { () throws(MediaError) in try seeker.survey() }
        let first = try errors.converting { () throws(MediaError) in
            try seeker.frame(shownAt: seeker.origin, onDamage: .keep)
        }
        let look: FrameDescription
        do throws(PictureError) { look = try FrameDescription(of: first.frame, facts: facts) } catch {
            throw SnapError(error, source: errors.name)
        }
        let geometry = look.geometry()
        let rate = survey.meanFrameDistance.flatMap { MediaTime($0.denominator, over: $0.numerator) }
        self.init(
            source: errors.name, container: survey.containerTitle, containerNames: survey.container,
            byteCount: survey.byteCount,
            length: length, start: start, codec: survey.codec, profile: seeker.profile,
            pixelFormat: look.pixelFormat, codedWidth: survey.codedWidth > 0 ? survey.codedWidth : first.frame.width,
            codedHeight: survey.codedHeight > 0 ? survey.codedHeight : first.frame.height,
            width: geometry.width, height: geometry.height, rotation: look.orientation.clockwiseDegrees,
            isMirrored: look.orientation.isMirrored,
            sampleAspectRatio: "\(look.sampleAspectRatio.numerator):\(look.sampleAspectRatio.denominator)",
            isInterlaced: first.frame.isInterlaced, frameRate: rate,
            hasVariableFrameRate: survey.frameDistance.map { $0.upperBound - $0.lowerBound > 1 } ?? false,
            keyDistance: survey.keyDistance, edits: survey.edits, hiddenPackets: survey.hiddenPackets,
            matrix: .init(look.colour.matrix), range: .init(look.colour.range), primaries: .init(look.colour.primaries),
            transfer: .init(look.colour.transfer),
            highDynamicRange: Self.highDynamicRange(
                look.colour, dolbyVisionProfile: facts.dolbyVisionProfile ?? look.dolbyVisionProfile),
            otherStreams: survey.otherStreams, actions: [])
        actions = plannedActions
        actions += look.notes
        if let profile = look.dolbyVisionProfile {
            actions.append(
                look.hasNeededMetadata
                    ? "colours come by Dolby Vision's own metadata"
                    : "Dolby Vision profile \(profile) is refused: its metadata are missing or broken")
        }
        if look.isHighDynamicRange {
            actions.append("HDR is tone-mapped to SDR, unless --hdr says otherwise")
        }
    }

    private static func highDynamicRange(_ colour: ColourDescription, dolbyVisionProfile: Int?) -> String? {
        if let dolbyVisionProfile { return "Dolby Vision profile \(dolbyVisionProfile)" }
        return switch colour.transfer.name {
        case "smpte2084": "PQ"
        case "arib-std-b67": "HLG"
        default: nil
        }
    }

    /// What is done about each thing that not every video has.
    fileprivate var plannedActions: [String] {
        var actions: [String] = []
        let start = MediaTime(ticks: self.start.pts, timeBase: self.start.timeBase)
        if start != .zero {
            actions.append("times count from the first frame, which the container has at \(start.decimalSeconds) s")
        }
        if hiddenPackets > 0 {
            actions.append("\(hiddenPackets) frames that an edit list hides are decoded and not shown")
        }
        if hasVariableFrameRate { actions.append("frames are found by their own times, never by a frame rate") }
        if rotation != 0 || isMirrored {
            actions.append("the picture is \(isMirrored ? "mirrored and " : "")turned \(rotation) degrees clockwise")
        }
        if sampleAspectRatio != "1:1" { actions.append("the width is changed so that pixels are square") }
        if isInterlaced { actions.append("the picture is deinterlaced, unless both fields are of one instant") }
        if [matrix, range].contains(where: { !$0.isTagged }) {
            actions.append("colours that are not tagged are guessed by the documented rule")
        }
        return actions
    }
}

extension Video {
    /// What is in the video, and what snap does about it. Reads its first and last packets and decodes a frame.
    ///
    /// - Throws: ``SnapError``.
    public func info() async throws(SnapError) -> VideoInfo {
        try await run { reader throws(SnapError) in try reader.info() }
    }
}
