import SnapBase
import SnapMedia

extension VideoReader {
    /// Looks at the first packets, the last ones, and the first frame.
    package func info() throws(SnapError) -> VideoInfo {
        startTiming()
        let survey = try converting { () throws(MediaError) in try seeker.survey() }
        let length = try length()
        let first = try converting { () throws(MediaError) in try seeker.frame(shownAt: seeker.origin, onDamage: .keep)
        }
        let look = try description(of: first.frame)
        let geometry = look.geometry()
        let rate = survey.meanFrameDistance.flatMap { MediaTime($0.denominator, over: $0.numerator) }
        var info = VideoInfo(
            source: name, container: survey.containerTitle, containerNames: survey.container,
            byteCount: survey.byteCount,
            length: length, start: time(of: seeker.origin), codec: survey.codec, profile: seeker.profile,
            pixelFormat: look.pixelFormat, codedWidth: survey.codedWidth, codedHeight: survey.codedHeight,
            width: geometry.width, height: geometry.height, rotation: look.orientation.clockwiseDegrees,
            isMirrored: look.orientation.isMirrored,
            sampleAspectRatio: "\(look.sampleAspectRatio.numerator):\(look.sampleAspectRatio.denominator)",
            isInterlaced: first.frame.isInterlaced, frameRate: rate,
            hasVariableFrameRate: survey.frameDistance.map { $0.upperBound - $0.lowerBound > 1 } ?? false,
            keyDistance: survey.keyDistance, edits: survey.edits, hiddenPackets: survey.hiddenPackets,
            matrix: .init(look.colour.matrix), range: .init(look.colour.range), primaries: .init(look.colour.primaries),
            transfer: .init(look.colour.transfer),
            highDynamicRange: Self.highDynamicRange(look.colour, dolbyVisionProfile: facts.dolbyVisionProfile),
            otherStreams: survey.otherStreams, actions: [])
        info.actions = info.plannedActions
        if look.isOrientationApproximate {
            info.actions.append("the display matrix is no quarter turn; the nearest is taken")
        }
        if look.highDynamicRange != nil { info.actions.append("HDR is refused: this version has no tone mapping") }
        return info
    }

    private func description(of frame: borrowing VideoFrame) throws(SnapError) -> FrameDescription {
        do throws(PictureError) { return try FrameDescription(of: frame, facts: facts) } catch {
            throw SnapError(error, source: name)
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
}

extension VideoInfo {
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
        if isInterlaced { actions.append("the picture is deinterlaced") }
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
