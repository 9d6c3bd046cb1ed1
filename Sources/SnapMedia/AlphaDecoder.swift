import CFFmpeg
import SnapBase

/// Decodes the alpha of VP8 and VP9 in Matroska and WebM: a second stream of pictures, one beside each packet, whose luma
/// is the opacity of the first (RFC 9559, AlphaMode).
///
/// FFmpeg's own decoders leave it aside. A class, because a decoder can't hold another one by value.
final class AlphaDecoder {
    private var decoder: Decoder
    /// Decoded, and waiting for their pictures, in decoding order.
    private var waiting: [Waiting] = []
    private let mostWaiting: Int

    private final class Waiting {
        let frame: VideoFrame
        init(_ frame: consuming VideoFrame) { self.frame = frame }
    }

    /// - Parameter pictureThreads: Of the decoder of the pictures, which come so many packets later than their alpha.
    init(
        for stream: UnsafeMutablePointer<AVStream>, timeBase: TimeBase, pictureThreads: Int, pixelLimit: Int64
    ) throws(MediaError) {
        // With one thread, each packet's frame comes out at once. The threads of the pictures work meanwhile.
        decoder = try unsafe Decoder(
            for: stream, timeBase: timeBase, threads: 1, pixelLimit: pixelLimit, takesAlpha: false)
        mostWaiting = pictureThreads + 1
    }

    /// Whether a stream says that its packets have alpha beside them.
    static func isNeeded(for stream: UnsafePointer<AVStream>) -> Bool {
        guard let parameters = unsafe stream.pointee.codecpar,
            unsafe [AV_CODEC_ID_VP8, AV_CODEC_ID_VP9].contains(parameters.pointee.codec_id),
            let mode = unsafe av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0)
        else { return false }
        return unsafe String(cString: mode.pointee.value) == "1"
    }

    var lastRefusal: FFmpegError? { decoder.lastRefusal }

    /// Decodes what is beside a packet of the pictures.
    func send(_ packet: Packet) throws(MediaError) -> Decoder.Outcome {
        guard let alpha = try packet.alpha() else { return .taken }
        var outcome = try decoder.send(alpha)
        while true {
            switch try decoder.receive() {
            case .frame(let frame):
                waiting.append(Waiting(frame))
                // Those of pictures that never come out.
                if waiting.count > mostWaiting { waiting.removeFirst() }
            case .refused: outcome = .refused
            case .needsPacket: return outcome
            case .end: return outcome
            }
        }
    }

    /// Gives a picture its alpha.
    func complete(_ frame: inout VideoFrame) throws(MediaError) {
        let presentation = frame.presentation
        guard let index = waiting.firstIndex(where: { $0.frame.presentation == presentation }) else {
            frame.alphaFlaw = .missing
            return
        }
        let alpha = waiting[index]
        waiting.removeFirst(index + 1)
        try frame.addAlpha(alpha.frame)
    }

    func flush() {
        decoder.flush()
        waiting = []
    }
}
