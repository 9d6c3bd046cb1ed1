import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

/// What comes back from FFmpeg's own decoders.
@Suite struct EncoderTests {
    private func gradient(_ width: Int, _ height: Int, _ channels: Picture.Channels = .rgb) throws -> Picture {
        let bytes = (0..<height).flatMap { y in
            (0..<width).flatMap { x -> [UInt8] in
                let value = [x * 255 / max(width - 1, 200), y * 255 / max(height - 1, 200), 128, (x + y) % 256]
                return value.prefix(channels.rawValue).map { UInt8($0) }
            }
        }
        return try #require(Picture(width: width, height: height, channels: channels, bytes: bytes))
    }

    private func decode(_ bytes: [UInt8], _ codec: AVCodecID) throws -> VideoFrame {
        var context = avcodec_alloc_context3(avcodec_find_decoder(codec))
        var packet = av_packet_alloc()
        var frame = av_frame_alloc()
        defer {
            avcodec_free_context(&context)
            av_packet_free(&packet)
            av_frame_free(&frame)
        }
        try check(avcodec_open2(context, nil, nil), "avcodec_open2")
        try check(av_new_packet(packet, Int32(bytes.count)), "av_new_packet")
        packet?.pointee.data.update(from: bytes, count: bytes.count)
        try check(avcodec_send_packet(context, packet), "avcodec_send_packet")
        try check(avcodec_receive_frame(context, frame), "avcodec_receive_frame")
        return try VideoFrame(taking: #require(frame), presentation: 0, timeBase: #require(TimeBase(1, over: 1)))
    }

    @Test(arguments: [(1, 1), (7, 5), (16, 16), (641, 3), (97, 61)])
    func aJPEGDecodesBackToThePicture(width: Int, height: Int) throws {
        let original = try gradient(width, height)
        for (subsampling, format) in [(ChromaSubsampling.yuv420, AV_PIX_FMT_YUVJ420P), (.yuv444, AV_PIX_FMT_YUVJ444P)] {
            for (isProgressive, optimizes) in [(false, false), (false, true), (true, true)] {
                let encoder = JPEGEncoder(
                    quality: 95, subsampling: subsampling, isProgressive: isProgressive, optimizesHuffman: optimizes)
                let frame = try decode(encoder.encode(original), AV_CODEC_ID_MJPEG)
                #expect(frame.pointer.pointee.format == format.rawValue)
                var facts = StreamFacts()
                facts.codec = AV_CODEC_ID_MJPEG
                let (decoded, _) = try picture(frame, facts: facts)
                #expect((decoded.width, decoded.height) == (width, height))
                let squares = zip(decoded.bytes, original.bytes).map { Double($0) - Double($1) }.map { $0 * $0 }
                let error = squares.reduce(0, +) / Double(squares.count)
                #expect(error < (width < 20 ? 60 : 8), "\(subsampling) \(isProgressive)")
            }
        }
    }

    @Test func automaticSubsamplingChangesAtQuality90() throws {
        let original = try gradient(32, 32)
        for (quality, format) in [(89, AV_PIX_FMT_YUVJ420P), (90, AV_PIX_FMT_YUVJ444P)] {
            let frame = try decode(JPEGEncoder(quality: quality).encode(original), AV_CODEC_ID_MJPEG)
            #expect(frame.pointer.pointee.format == format.rawValue)
        }
    }

    @Test func aJPEGSaysJFIFWithDensityOneToOne() throws {
        let bytes = try JPEGEncoder().encode(gradient(8, 8))
        #expect(bytes.prefix(4) == [0xFF, 0xD8, 0xFF, 0xE0])
        #expect(Array(bytes[6..<11]) == Array("JFIF\0".utf8))
        #expect(Array(bytes[13..<18]) == [0, 0, 1, 0, 1])
        #expect(bytes.suffix(2) == [0xFF, 0xD9])
    }

    @Test(arguments: [-5, 0, 1, 100, 1000]) func anyQualityIsMovedIntoRange(quality: Int) throws {
        #expect(try !JPEGEncoder(quality: quality).encode(gradient(8, 8)).isEmpty)
    }

    @Test func aSideThatJPEGCannotHoldIsAnError() throws {
        let wide = try #require(
            Picture(width: 65501, height: 1, channels: .rgb, bytes: .init(repeating: 0, count: 196503)))
        #expect(throws: JPEGError.tooLarge(width: 65501, height: 1)) { try JPEGEncoder().encode(wide) }
        let widest = try #require(
            Picture(width: 65500, height: 1, channels: .rgb, bytes: .init(repeating: 0, count: 196500)))
        #expect(try !JPEGEncoder().encode(widest).isEmpty)
    }

    @Test func noiseLargerThanTheFirstBufferIsWhole() throws {
        var seed: UInt32 = 7
        let bytes = (0..<300 * 200 * 3).map { _ in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return UInt8(seed >> 24)
        }
        let noise = try #require(Picture(width: 300, height: 200, channels: .rgb, bytes: bytes))
        let jpeg = try JPEGEncoder(quality: 100).encode(noise)
        #expect(jpeg.count > 60000)
        #expect(try decode(jpeg, AV_CODEC_ID_MJPEG).height == 200)
    }

    @Test(arguments: [(1, 1), (7, 5), (97, 61)], [Picture.Channels.rgb, .rgba])
    func aPNGHoldsTheSamePixels(size: (Int, Int), channels: Picture.Channels) throws {
        let original = try gradient(size.0, size.1, channels)
        for level in [0, 6, 9] {
            let bytes = try PNGEncoder(compressionLevel: level).encode(original)
            #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            var options = PictureOptions()
            options.wantsAlpha = true
            #expect(try picture(decode(bytes, AV_CODEC_ID_PNG), options: options).picture == original)
        }
    }

    @Test func aPNGSaysSRGB() throws {
        let bytes = try PNGEncoder().encode(gradient(8, 8))
        #expect(String(decoding: bytes, as: UTF8.self).contains("sRGB"))
        // Square pixels, if it says anything of their shape.
        let shape = bytes.indices.first { bytes[$0...].starts(with: Array("pHYs".utf8)) }
        #expect(
            shape.map { Array(bytes[$0 + 4..<$0 + 13]) } ?? [0, 0, 0, 1, 0, 0, 0, 1, 0] == [0, 0, 0, 1, 0, 0, 0, 1, 0])
    }

    @Test(arguments: [Picture.Channels.rgb, .rgba]) func aDeepPNGHoldsTheSameSamplesAndSaysWhatTheyMean(
        channels: Picture.Channels
    ) throws {
        let bytes = (0..<9 * 5 * channels.rawValue * 2).map { UInt8(truncatingIfNeeded: $0 * 7919 >> 3) }
        let colour = PictureColour(primaries: 9, transfer: 16)
        let deep = try #require(
            Picture(width: 9, height: 5, channels: channels, bytes: bytes, bitsPerChannel: 16, colour: colour))
        let file = try PNGEncoder().encode(deep)
        // PNG, third edition, 5.3 and 11.3.2.6: length, type, BT.2020, PQ, RGB, full range; the CRC from a calculator.
        #expect(Array(file[33..<49]) == [0, 0, 0, 4] + Array("cICP".utf8) + [9, 16, 0, 1] + [0x4D, 0x23, 0x23, 0xFE])
        #expect(!String(decoding: file, as: UTF8.self).contains("sRGB"))
        let frame = try decode(file, AV_CODEC_ID_PNG)
        #expect(frame.pointer.pointee.format == (channels == .rgb ? AV_PIX_FMT_RGB48BE : AV_PIX_FMT_RGBA64BE).rawValue)
        let row = 9 * channels.rawValue * 2
        for y in 0..<5 {
            let line = UnsafeBufferPointer(
                start: frame.pointer.pointee.data.0! + y * Int(frame.pointer.pointee.linesize.0), count: row)
            #expect(Array(line) == Array(bytes[y * row..<(y + 1) * row]))
        }
    }

    /// A transfer, a signal of it in thousandths, and what part of HDR's reference white that is on a display.
    static let greys: [(UInt8, Int, Double)] = [
        // BT.2100, table 4: 92.2457 cd/m² at half the signal; BT.2408, table 1: 203 cd/m² at 58 % and 75 %.
        (16, 500, 92.2457 / 203), (16, 581, 1), (16, 900, 1),
        // Table 5: a twelfth of the light at half the signal, to the power of 1.2, of 1000 cd/m².
        (18, 500, 50.70 / 203), (18, 750, 1), (18, 1000, 1),
    ]

    @Test("What a deep PNG means, its ICC profile says too: reference white is white", arguments: greys)
    func profile(transfer: UInt8, signal: Int, part: Double) throws {
        let colour = PictureColour(primaries: 9, transfer: transfer)
        let deep = try #require(
            Picture(width: 1, height: 1, channels: .rgb, bytes: [1, 2, 3, 4, 5, 6], bitsPerChannel: 16, colour: colour))
        var file = try PNGEncoder().encode(deep)
        // Since 8.1, FFmpeg reads no profile where cICP says what is meant.
        #expect(file[37..<41].elementsEqual("cICP".utf8))
        file.removeSubrange(33..<49)
        let frame = try decode(file, AV_CODEC_ID_PNG)
        let data = try #require(av_frame_get_side_data(frame.pointer, AV_FRAME_DATA_ICC_PROFILE)).pointee
        let profile = Array(UnsafeBufferPointer(start: data.data, count: Int(data.size)))
        func number(_ place: Int, _ size: Int) -> Int { profile[place..<place + size].reduce(0) { $0 << 8 | Int($1) } }
        func real(_ place: Int) -> Double { Double(Int32(truncatingIfNeeded: number(place, 4))) / 65536 }
        #expect(number(0, 4) == profile.count)
        var places: [String: Int] = [:]
        for tag in 0..<number(128, 4) {
            let entry = 132 + 12 * tag
            places[String(decoding: profile[entry..<entry + 4], as: UTF8.self)] = number(entry + 4, 4)
            #expect(number(entry + 4, 4) % 4 == 0 && number(entry + 4, 4) + number(entry + 8, 4) <= profile.count)
        }
        let meaning = try #require(places["cicp"])
        #expect(Array(profile[meaning..<meaning + 12]) == Array("cicp".utf8) + [0, 0, 0, 0, 9, transfer, 0, 1])
        // BT.2020 beside D50, as profiles of it have it.
        let colorants = [
            "rXYZ": [0.6735, 0.2790, -0.0019], "gXYZ": [0.1657, 0.6753, 0.0300], "bXYZ": [0.1251, 0.0456, 0.7968],
        ]
        for (name, expected) in colorants {
            let place = try #require(places[name])
            for index in 0..<3 { #expect(abs(real(place + 8 + 4 * index) - expected[index]) < 0.001, "\(name)") }
        }
        let curve = try #require(places["gTRC"])
        let index = (signal * (number(curve + 8, 4) - 1) + 500) / 1000
        #expect(abs(Double(number(curve + 12 + 2 * index, 2)) / 65535 - part) < 0.01)
    }
}
