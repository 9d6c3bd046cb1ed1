import CFFmpeg

/// The brightest light of a video, as its metadata tells it, in cd/m².
struct ContentLight: Sendable, Hashable {
    /// Of the brightest of red, green and blue anywhere (MaxCLL, CTA-861.3); `nil` where it isn't known.
    var brightestPixel: Double?
    /// What the display on which the video was graded could show (SMPTE ST 2086); `nil` where it isn't known.
    var masteringPeak: Double?
    /// Of the brightest of red, green and blue in this frame's scene (HDR10+, SMPTE ST 2094-40); `nil` where it isn't known.
    var scenePeak: Double?

    init() {}

    init(brightestPixel: Double?, masteringPeak: Double?, scenePeak: Double? = nil) {
        self.scenePeak = scenePeak.flatMap(Self.plausible)
        self.brightestPixel = brightestPixel.flatMap(Self.plausible)
        self.masteringPeak = masteringPeak.flatMap(Self.plausible)
    }

    private init(
        _ level: UnsafePointer<AVContentLightMetadata>?, _ display: UnsafePointer<AVMasteringDisplayMetadata>?,
        _ scene: UnsafePointer<AVDynamicHDRPlus>? = nil
    ) {
        let most = unsafe level.map { unsafe Double($0.pointee.MaxCLL) }
        let peak = unsafe display.flatMap { display -> Double? in
            let luminance = unsafe display.pointee.max_luminance
            guard unsafe display.pointee.has_luminance != 0, luminance.den != 0 else { return nil }
            return Double(luminance.num) / Double(luminance.den)
        }
        self.init(
            brightestPixel: most, masteringPeak: peak,
            scenePeak: unsafe scene.flatMap { unsafe Self.scenePeak($0.pointee) })
    }

    /// The largest of red, green and blue; where that is left at 0, what all but a few of the pixels are darker than.
    private static func scenePeak(_ metadata: AVDynamicHDRPlus) -> Double? {
        let window = metadata.params.0  // the whole picture; others are parts of it
        let brightest = [window.maxscl.0, window.maxscl.1, window.maxscl.2].map(light).max() ?? 0
        if brightest > 0 { return brightest }
        var distribution = window.distribution_maxrgb
        let percentiles = unsafe withUnsafeBytes(of: &distribution) {
            unsafe Array($0.bindMemory(to: AVHDRPlusPercentile.self))
        }
        return percentiles.prefix(Int(window.num_distribution_maxrgb_percentiles))
            .first { 99...100 ~= $0.percentage }.map { light($0.percentile) }
    }

    /// In cd/m², of PQ's largest.
    private static func light(_ part: AVRational) -> Double { part.den == 0 ? 0 : av_q2d(part) * ToneCurve.largest }

    /// What the frame itself says.
    init(of frame: borrowing VideoFrame) {
        unsafe self.init(
            cff_frame_content_light(frame.pointer), cff_frame_mastering_display(frame.pointer),
            cff_frame_dynamic_light(frame.pointer))
    }

    /// What the container says.
    init(of stream: UnsafePointer<AVStream>) {
        unsafe self.init(cff_stream_content_light(stream), cff_stream_mastering_display(stream))
    }

    /// With what another one knows besides.
    func completed(by other: ContentLight) -> ContentLight {
        ContentLight(
            brightestPixel: brightestPixel ?? other.brightestPixel, masteringPeak: masteringPeak ?? other.masteringPeak,
            scenePeak: scenePeak ?? other.scenePeak)
    }

    /// 0 says that it isn't known. PQ ends at 10,000; less than 1 is no picture's brightest light.
    private static func plausible(_ luminance: Double) -> Double? {
        1...ToneCurve.largest ~= luminance ? luminance : nil
    }
}
