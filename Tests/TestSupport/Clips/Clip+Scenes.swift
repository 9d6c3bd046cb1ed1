extension Clip {
    /// What a scene of two seconds shows.
    public enum Scene: String, Sendable, CaseIterable {
        case black, bars, credits, grey, fade, halfFade, blurred
        /// Worth a picture, each of them another one.
        case rings, coast, blocks

        public var isContent: Bool { [.rings, .coast, .blocks].contains(self) }

        /// As the ffmpeg command makes it.
        fileprivate var source: String {
            let size = "s=320x180:r=25"
            let rings = "mandelbrot=\(size):start_x=-0.743:start_y=0.131:start_scale=0.05:maxiter=400"
            let coast = "mandelbrot=\(size):start_x=0.28:start_y=0.53:start_scale=0.1:maxiter=300,hue=h=140"
            return switch self {
            case .black: "color=black:\(size)"
            case .bars: "smptebars=\(size)"
            case .grey: "color=gray:\(size)"
            case .credits:
                "color=black:\(size),format=gray,geq=lum='"
                    + "if(lt(mod(floor(X/3)*7+floor(Y/6)*13,11),4)*lt(mod(Y,24),9)*between(X,90,230),235,16)',"
                    + "format=yuv420p"
            case .fade: rings + ",eq=contrast=0.2:brightness=-0.25"
            case .halfFade: rings + ",eq=contrast=0.65:brightness=-0.15"
            case .blurred: rings + ",gblur=sigma=14"
            case .rings: rings
            case .coast: coast
            case .blocks: "testsrc2=\(size)"
            }
        }
    }

    /// Scenes one after the other, of two seconds each, with a key frame each second or none but the first.
    public static func scenes(_ scenes: [Scene], keyDistance: Int = 25) -> Clip {
        let count = scenes.count * 50
        let parts = scenes.enumerated().map { index, scene in
            "\(scene.source),trim=duration=2,setsar=1,format=yuv420p[v\(index)];"
        }
        let labels = scenes.indices.map { "[v\($0)]" }.joined()
        let graph = parts.joined() + labels + "concat=n=\(scenes.count)"
        let name = "scenes-\(keyDistance)-" + scenes.map { String($0.rawValue.prefix(3)) }.joined()
        return Clip(
            name, "mp4", .steady(count, per: 12800, step: 512).sized(320, 180),
            .commands(
                [
                    [
                        "-f", "lavfi", "-i", graph, "-c:v", "libx264", "-g", "\(keyDistance)", "-sc_threshold", "0",
                        "-preset", "veryfast", "{out}",
                    ]
                ], sources: [], clips: []))
    }
}
