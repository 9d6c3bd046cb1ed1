import CFFmpeg
import SnapBase

/// Decodes alpha that lies beside the pictures: a second stream of pictures whose luma is the opacity of the first.
///
/// A class, because a decoder can't hold another one by value.
final class AlphaDecoder {
    /// `nil` once the stream goes on without alpha.
    private(set) var source: AlphaSource?
    private var decoder: Decoder
    /// Decoded, and waiting for their pictures, in the order in which they came out.
    private var waiting: [HeldFrame] = []
    private let mostWaiting: Int
    /// Of the last packets of the pictures, whether there was alpha beside it; the last one first.
    private var hadAlpha: [Bool] = []
    private static let mostPackets = 64

    /// - Parameter pictureThreads: Of the decoder of the pictures, which come so many packets later than their alpha.
    init(
        _ source: AlphaSource, of stream: UnsafeMutablePointer<AVStream>, timeBase: TimeBase, pictureThreads: Int,
        pixelLimit: Int64
    ) throws(MediaError) {
        self.source = source
        // With one thread, frames come out no later than those of the pictures, whose threads work meanwhile.
        decoder = try unsafe Decoder(
            for: stream, timeBase: timeBase, threads: 1, pixelLimit: pixelLimit,
            alphaSource: nil, configuration: source.configuration?.alpha)
        mostWaiting = pictureThreads + Self.mostReordered
    }

    /// How many pictures may come out later than they were decoded, of H.265 (ITU-T H.265, A.4.2).
    private static let mostReordered = 16

    var lastRefusal: FFmpegError? { decoder.lastRefusal }

    /// The packets of the pictures beside which is what the decoder calls spoilt, as ``Decoder/spoiltPackets()`` counts them.
    func spoiltPackets() -> [Int] {
        let own = hadAlpha.indices.filter { hadAlpha[$0] }
        return decoder.spoiltPackets().compactMap { own.indices.contains($0) ? own[$0] : nil }
    }

    /// Takes over the headers that change with a packet, before anything of it is decoded.
    func follow(_ packet: Packet) {
        if case .layer = source, let headers = packet.newExtradata {
            source = HEVCAlphaLayer(configuration: headers).map(AlphaSource.layer)
        }
    }

    /// Decodes what is beside a packet of the pictures, or with `nil` what the decoder still holds.
    func send(_ packet: Packet?) throws(MediaError) -> Decoder.Outcome {
        var alpha: Packet?
        if let packet, let source { alpha = try packet.alpha(from: source) }
        if packet != nil {
            hadAlpha.insert(alpha != nil, at: 0)
            if hadAlpha.count > Self.mostPackets { hadAlpha.removeLast() }
        }
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
        frame.isPremultiplied = source?.isPremultiplied ?? false
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
        hadAlpha = []
    }
}
