import Snap
import SnapBase
import SnapMedia
import TestSupport
import Testing

/// Opacity that is known by a formula, out of files as they are.
@Suite("Alpha is what the video holds")
struct AlphaTests {
    @Test(
        "The opacity and the colour of every frame are those that were coded, in any order", arguments: Clip.alphaRamps)
    func ramps(_ clip: Clip) throws {
        let reader = try clip.open()
        var random = SeededRandom(seed: 5)
        var options = SnapshotOptions()
        options.keepsAlpha = true
        for number in (0..<12).shuffled(using: &random) + Array(0..<12) {
            let snapshot = try take(reader, number, options)
            #expect(snapshot.receipt.status == .ok && snapshot.receipt.picture?.notes == [])
            let picture = snapshot.picture
            try #require(picture.channels == .rgba && picture.width == 128 && picture.height == 64)
            let error = meanError(picture) { x, channel in
                channel == 3 ? clip.codedOpacity(x: x, frame: number) : Clip.rampColour[channel]
            }
            #expect(error[3] <= (clip.losesAlpha ? 1.5 : 0), "frame \(number): \(error)")
            // Chroma of 8 bits, and the coders' loss.
            #expect(error[0...2].allSatisfy { $0 <= 3 }, "frame \(number): \(error)")
        }
    }

    @Test("Without alpha the picture lies on the background", arguments: Clip.alphaRamps)
    func flattened(_ clip: Clip) throws {
        var options = SnapshotOptions()
        options.background = RGBColour(red: 10, green: 250, blue: 120)
        let picture = try take(clip.open(), 4, options).picture
        #expect(picture.channels == .rgb)
        let error = meanError(picture) { x, channel in
            let opacity = Clip.opacity(x: x, frame: 4)
            return (Clip.rampColour[channel] * opacity + [10, 250, 120][channel] * (255 - opacity) + 127) / 255
        }
        #expect(error.allSatisfy { $0 <= 3 }, "\(error)")
    }

    @Test("A file of PNG keeps alpha; one of JPEG has none")
    func files() throws {
        var options = SnapshotOptions()
        options.keepsAlpha = true
        let snapshot = try take(Clip.alphaRamps[0].open(), 3, options)
        let folder = try TemporaryDirectory()
        let png = try folder.write(try snapshot.encoded(as: .png), to: "a.png")
        let jpeg = try folder.write(try snapshot.encoded(), to: "a.jpg")
        #expect(try FFmpegOracle.stream(of: png)?.pixelFormat == "rgba")
        #expect(try FFmpegOracle.stream(of: jpeg)?.pixelFormat == "yuvj420p")
    }

    @Test("Key frames of alpha that lie elsewhere than those of the pictures lead to the same frames")
    func unalignedKeys() throws {
        let movie = try AlphaMovie(pictures: .colourStream(keyDistance: 4), alphas: .opacityStream(keyDistance: 6))
        let reader = try open(movie)
        var random = SeededRandom(seed: 3)
        for number in (0..<24).shuffled(using: &random) {
            let snapshot = try take(reader, number)
            #expect(snapshot.receipt.status == .ok && snapshot.receipt.picture?.notes == [])
            #expect(opacityError(snapshot.picture, number) <= 2, "frame \(number)")
            // Decoding begins where both have one.
            #expect(snapshot.receipt.isKeyFrame == (number % 12 == 0))
        }
        for number in [23, 13, 12, 5] {
            #expect(opacityError(try take(open(movie), number).picture, number) <= 2, "frame \(number) alone")
        }
    }

    @Test("A frame without alpha in a video with it is opaque, which the receipt says")
    func missingAlpha() throws {
        var movie = try AlphaMovie(pictures: .colourStream(keyDistance: 6), alphas: .opacityStream(keyDistance: 6))
        movie.alphas[11] = nil
        let reader = try open(movie)
        for number in [10, 11, 12] {
            let snapshot = try take(reader, number)
            let notes = snapshot.receipt.picture?.notes ?? []
            #expect(notes.contains { $0.contains("taken for opaque") } == (number == 11))
            #expect(number == 11 ? snapshot.picture.isOpaque : opacityError(snapshot.picture, number) <= 2)
        }
        movie.alphas = movie.alphas.map { _ in nil }
        let bare = try open(movie)
        for number in [20, 3] { #expect(try take(bare, number).picture.isOpaque) }
        // Its key frames count as such.
        let whole = try open(
            AlphaMovie(pictures: .colourStream(keyDistance: 6), alphas: .opacityStream(keyDistance: 6)))
        for number in [20, 3] { _ = try take(whole, number) }
        #expect(bare.statistics == whole.statistics)
    }

    @Test("Alpha of another size than the picture is left out, which the receipt says")
    func otherSize() throws {
        let alphas = Clip.opacityStream(keyDistance: 6, size: "64x32")
        let movie = try AlphaMovie(pictures: .colourStream(keyDistance: 6), alphas: alphas)
        let snapshot = try take(open(movie), 8)
        #expect(snapshot.picture.isOpaque)
        #expect(snapshot.receipt.picture?.notes.first?.contains("64x32") == true)
    }

    @Test("A frame whose alpha is damaged is not passed off as whole")
    func damagedAlpha() throws {
        var movie = try AlphaMovie(pictures: .colourStream(keyDistance: 6), alphas: .opacityStream(keyDistance: 6))
        movie.alphas[14] = [UInt8](repeating: 0xFF, count: 40)
        let snapshot = try take(open(movie), 14)
        #expect(snapshot.receipt.code == "replaced-damaged")
        var options = SnapshotOptions()
        options.onDamage = .fail
        #expect(throws: SnapError.self) { try take(open(movie), 14, options) }
        #expect(opacityError(try take(open(movie), 18).picture, 18) <= 2)
    }

    @Test(
        "Alpha in a layer of HEVC is that of its frame, in any order and size, and colours are what they were before",
        arguments: [false, true])
    func hevcAlpha(isPremultiplied: Bool) throws {
        let movie = try LayeredMovie(
            pictures: .hevcLayer(isPremultiplied ? .multipliedColour : .colour), alphas: .hevcLayer(.opacity),
            isPremultiplied: isPremultiplied)
        let reader = try VideoReader(.bytes(movie.bytes), options: VideoOptions(), interrupt: Interrupt())
        var random = SeededRandom(seed: 7)
        var small = SnapshotOptions()
        small.keepsAlpha = true
        small.size = .width(32)
        for number in (0..<24).shuffled(using: &random) + Array(0..<24) {
            let snapshot = try take(reader, number)
            #expect(snapshot.receipt.status == .ok && snapshot.receipt.picture?.notes == [])
            #expect(opacityError(snapshot.picture, number) <= 2, "frame \(number)")
            #expect(colourError(snapshot.picture) <= 4, "frame \(number)")
            let reduced = try take(reader, number, small).picture
            #expect(reduced.width == 32)
            #expect(colourError(reduced) <= 4, "frame \(number), small")
        }
        // The last one comes out when there is nothing more to decode.
        for number in [23, 22, 17, 0] {
            let alone = try VideoReader(.bytes(movie.bytes), options: VideoOptions(), interrupt: Interrupt())
            #expect(opacityError(try take(alone, number).picture, number) <= 2, "frame \(number) alone")
        }
        var options = SnapshotOptions()
        options.background = RGBColour(red: 10, green: 250, blue: 120)
        let flat = try take(reader, 6, options).picture
        let error = meanError(flat) { x, channel in
            let opacity = Clip.opacity(x: x, frame: 6)
            return (Clip.rampColour[channel] * opacity + [10, 250, 120][channel] * (255 - opacity) + 127) / 255
        }
        #expect(flat.channels == .rgb && error.allSatisfy { $0 <= 3 }, "\(error)")
    }

    @Test("Key frames of a layer that lie elsewhere than those of the pictures lead to the same frames")
    func hevcKeys() throws {
        let movie = try LayeredMovie(
            pictures: .hevcLayer(.colour, keyDistance: 4, reordered: false),
            alphas: .hevcLayer(.opacity, keyDistance: 6, reordered: false), isPremultiplied: false)
        for number in [23, 13, 12, 5, 0] {
            let reader = try VideoReader(.bytes(movie.bytes), options: VideoOptions(), interrupt: Interrupt())
            let snapshot = try take(reader, number)
            #expect(opacityError(snapshot.picture, number) <= 2, "frame \(number)")
            #expect(snapshot.receipt.isKeyFrame == (number % 12 == 0))
        }
    }

    @Test("A layer that is lost in part is told; whatever is in it, the reader stands")
    func hevcDamage() throws {
        let whole = try LayeredMovie(
            pictures: .hevcLayer(.colour, reordered: false), alphas: .hevcLayer(.opacity, reordered: false),
            isPremultiplied: false)
        var movie = whole
        movie.alphas[13] = nil
        var reader = try VideoReader(.bytes(movie.bytes), options: VideoOptions(), interrupt: Interrupt())
        let notes = try take(reader, 13).receipt.picture?.notes ?? []
        #expect(notes.contains { $0.contains("taken for opaque") })
        #expect(opacityError(try take(reader, 4).picture, 4) <= 2)
        // The next one is predicted from it, up to the key frame.
        #expect(try take(reader, 14).receipt.code == "replaced-damaged")
        #expect(opacityError(try take(reader, 20).picture, 20) <= 2)

        var random = SeededRandom(seed: 11)
        for round in 0..<24 {
            movie = whole
            for index in movie.alphas.indices {
                switch (round + index) % 3 {
                case 0: movie.alphas[index] = movie.alphas[index].map { Array($0.prefix($0.count / 2)) }
                case 1: movie.alphas[index] = [0, 0, 0, 3, 0x02, 9, UInt8.random(in: 0...255, using: &random)]
                default:
                    for place in movie.alphas[index]?.indices ?? 0..<0 where place > 6 && place % 7 == round % 7 {
                        movie.alphas[index]?[place] = UInt8.random(in: 0...255, using: &random)
                    }
                }
            }
            reader = try VideoReader(.bytes(movie.bytes), options: VideoOptions(), interrupt: Interrupt())
            for number in [23, 0, 12] {
                do { _ = try take(reader, number) } catch { #expect(error is SnapError) }
            }
        }
    }

    @Test("A layer that doesn't go from transparent to opaque is left out, which the receipt says")
    func hevcOtherMeaning() throws {
        // FFmpeg 8 takes the hashes of a layer that is in its packets for those of the pictures.
        var movie = try LayeredMovie(
            pictures: .hevcLayer(.colour, hashed: false), alphas: .hevcLayer(.opacity, hashed: false),
            isPremultiplied: false)
        movie.message = LayeredMovie.message(use: 0, transparent: 16, opaque: 235)
        let reader = try VideoReader(.bytes(movie.bytes), options: VideoOptions(), interrupt: Interrupt())
        let snapshot = try take(reader, 5)
        #expect(snapshot.picture.isOpaque && snapshot.receipt.status == .ok)
        #expect(snapshot.receipt.picture?.notes.contains { $0.contains("layer of HEVC") } == true)
    }

    @Test("Alpha in a layer of HEVC that is not there is named in the receipt")
    func hevcLayer() throws {
        let snapshot = try take(Clip.namesAlphaLayer.open(), 7)
        #expect(snapshot.picture.isOpaque && snapshot.receipt.status == .ok)
        #expect(snapshot.receipt.picture?.notes.contains { $0.contains("layer of HEVC") } == true)
    }

    @Test("Nothing that lies beside a picture brings the reader down")
    func hostileAlpha() throws {
        let whole = try AlphaMovie(pictures: .colourStream(keyDistance: 6), alphas: .opacityStream(keyDistance: 6))
        var random = SeededRandom(seed: 9)
        for round in 0..<24 {
            var movie = whole
            for index in movie.alphas.indices {
                switch (round + index) % 4 {
                case 0: movie.alphas[index] = []
                case 1: movie.alphas[index] = [UInt8.random(in: 0...255, using: &random)]
                case 2: movie.alphas[index] = movie.alphas[index].map { Array($0.prefix($0.count / 2)) }
                default:
                    for place in movie.alphas[index]?.indices ?? 0..<0 where place % 7 == round % 7 {
                        movie.alphas[index]?[place] = UInt8.random(in: 0...255, using: &random)
                    }
                }
            }
            let reader = try open(movie)
            for number in [23, 0, 12] {
                do { _ = try take(reader, number) } catch { #expect(error is SnapError) }
            }
        }
    }

    private func open(_ movie: AlphaMovie) throws -> VideoReader {
        try VideoReader(.bytes(movie.bytes), options: VideoOptions(), interrupt: Interrupt())
    }

    private func take(_ reader: VideoReader, _ number: Int, _ options: SnapshotOptions? = nil) throws -> Snapshot {
        var kept = SnapshotOptions()
        kept.keepsAlpha = true
        let time = MediaTime(Int64(40 * number + 20), over: 1000)!
        return try reader.snapshot(at: try reader.moment(.time(time)), options: options ?? kept)
    }

    /// For each channel, the mean distance to what it should be.
    private func meanError(_ picture: Picture, _ expected: (_ x: Int, _ channel: Int) -> Int) -> [Double] {
        let count = picture.channels.rawValue
        var sums = [Int](repeating: 0, count: count)
        for (index, byte) in picture.bytes.enumerated() {
            let (x, channel) = (index / count % picture.width, index % count)
            sums[channel] += abs(Int(byte) - expected(x, channel))
        }
        return sums.map { Double($0) / Double(picture.width * picture.height) }
    }

    /// The mean distance of a colour to what it should be, where it can be seen well.
    private func colourError(_ picture: Picture) -> Double {
        guard picture.channels == .rgba else { return .infinity }
        let seen = stride(from: 0, to: picture.bytes.count, by: 4).filter { picture.bytes[$0 + 3] >= 40 }
        let sum = seen.reduce(0) { sum, pixel in
            sum + (0..<3).reduce(0) { $0 + abs(Int(picture.bytes[pixel + $1]) - Clip.rampColour[$1]) }
        }
        return Double(sum) / Double(3 * max(seen.count, 1))
    }

    private func opacityError(_ picture: Picture, _ number: Int) -> Double {
        guard picture.channels == .rgba else { return .infinity }
        return meanError(picture) { x, channel in channel == 3 ? Clip.opacity(x: x, frame: number) : 0 }[3]
    }
}

extension Picture {
    fileprivate var isOpaque: Bool {
        channels == .rgb || stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
    }
}
