import CFFmpeg
import SnapBase

/// Decodes alpha that lies beside the pictures: a second stream of pictures whose luma is the opacity of the first.
///
/// A class, because a decoder can't hold another one by value.
final class AlphaDecoder {
    let source: AlphaSource
    private var decoder: Decoder
    /// Decoded, and waiting for their pictures, in decoding order.
    private var waiting: [HeldFrame] = []
    private let mostWaiting: Int

    /// - Parameter pictureThreads: Of the decoder of the pictures, which come so many packets later than their alpha.
    init(
        _ source: AlphaSource, of stream: UnsafeMutablePointer<AVStream>, timeBase: TimeBase, pictureThreads: Int,
        pixelLimit: Int64
    ) throws(MediaError) {
        self.source = source
        // With one thread, each packet's frame comes out at once. The threads of the pictures work meanwhile.
        decoder = try unsafe Decoder(
            for: stream, timeBase: timeBase, threads: 1, pixelLimit: pixelLimit,
            alphaSource: nil, configuration: source.configuration?.alpha)
        mostWaiting = pictureThreads + Self.mostReordered
    }

    /// How many pictures may come out later than they were decoded, of H.265 (ITU-T H.265, A.4.2).
    private static let mostReordered = 16

    var lastRefusal: FFmpegError? { decoder.lastRefusal }

    func spoiltPackets() -> [Int] { decoder.spoiltPackets() }

    /// Decodes what is beside a packet of the pictures, or with `nil` what the decoder still holds.
    func send(_ packet: Packet?) throws(MediaError) -> Decoder.Outcome {
        let alpha = try packet?.alpha(from: source)
        if packet != nil, alpha == nil { return .taken }
        var outcome = try decoder.send(alpha)
        while true {
            switch try decoder.receive() {
            case .frame(let frame):
                waiting.append(HeldFrame(frame))
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
        frame.isPremultiplied = source.isPremultiplied
        // Decoders that were told of the layer on the way have done it themselves.
        if unsafe PixelFormat(AVPixelFormat(frame.pointer.pointee.format))?.hasAlpha == true { return }
        let presentation = frame.presentation
        guard let index = waiting.firstIndex(where: { $0.presentation == presentation }),
            let alpha = waiting[index].frame.take()
        else {
            frame.alphaFlaw = .missing
            return
        }
        waiting.removeFirst(index + 1)
        try frame.addAlpha(alpha)
    }

    func flush() {
        decoder.flush()
        waiting = []
    }
}
