/// How much of the colour resolution a JPEG keeps.
public enum ChromaSubsampling: String, Sendable, Hashable, CaseIterable {
    /// ``yuv420`` below quality 90, ``yuv444`` from there on.
    case automatic = "auto"
    /// Half the colour samples in both directions: what cameras, browsers and video use.
    case yuv420 = "420"
    /// All of them: for text, drawings and saturated edges.
    case yuv444 = "444"
}
