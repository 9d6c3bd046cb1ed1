import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

@Suite struct DeinterlacerTests {
    static let formats = [
        AV_PIX_FMT_YUV420P, AV_PIX_FMT_NV12, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUYV422, AV_PIX_FMT_P010LE,
    ]

    /// A white bar that is 12 pixels further to the right in the field taken second.
    private func movingBar(_ code: AVPixelFormat, topFirst: Bool) throws -> VideoFrame {
        let unit = 1 << (try #require(PixelFormat(code)).depth - 8)
        return try TestFrame.make(
            code, width: 96, height: 64, tags: .init(range: AVCOL_RANGE_MPEG)
        ) { frame in
            cff_frame_set_interlaced(frame, topFirst ? 1 : 0)
        } sample: { component, x, y in
            let start = (y % 2 == 0) == topFirst ? 30 : 42
            return (component > 0 ? 128 : start..<start + 20 ~= x ? 235 : 16) * unit
        }
    }

    @Test(arguments: formats) func removesTheCombsOfAMovingBar(code: AVPixelFormat) throws {
        for topFirst in [true, false] {
            let (picture, report) = try picture(movingBar(code, topFirst: topFirst))
            #expect(report.fields == (topFirst ? .top : .bottom))
            // The bar stands where the first field has it, in every row.
            for y in 0..<64 {
                for x in 0..<96 { #expect(picture.pixel(x, y)[0] == (30..<50 ~= x ? 255 : 0), "\(x) \(y)") }
            }
        }
    }

    @Test func leavesCombsWhenToldTo() throws {
        var options = PictureOptions()
        options.deinterlacing = .never
        let (picture, report) = try picture(movingBar(AV_PIX_FMT_YUV420P, topFirst: true), options: options)
        #expect(report.fields == .coded)
        #expect(picture.pixel(32, 20)[0] == 255 && picture.pixel(32, 21)[0] == 0)
    }

    /// Text-like detail in one row, slanted edges and a ramp: nothing moved, so nothing may change.
    @Test func keepsWhatStandsStill() throws {
        let value = { (x: Int, y: Int) in
            if y == 21 || y == 40 { return 200 }  // a line one row high, in either field
            if x > y && y < 36 { return 150 }
            return 40 + x / 2
        }
        let frame = try TestFrame.make(
            AV_PIX_FMT_YUV444P, width: 96, height: 64, tags: .init(range: AVCOL_RANGE_JPEG)
        ) {
            cff_frame_set_interlaced($0, 1)
        } sample: { component, x, y in
            component == 0 ? value(x, y) : 128
        }
        let (picture, report) = try picture(frame)
        #expect(report.fields == .whole)
        for y in 0..<64 { for x in 0..<96 { #expect(picture.pixel(x, y)[0] == value(x, y), "\(x) \(y)") } }
    }

    @Test func progressiveFramesAreLeftAlone() throws {
        let frame = try TestFrame.make(AV_PIX_FMT_YUV420P, width: 32, height: 32) { _, x, y in (x * y) % 200 + 20 }
        #expect(try picture(frame).report.fields == nil)
    }

    @Test func saysWhenItCannot() throws {
        let frame = try TestFrame.make(
            AV_PIX_FMT_YUV420P, width: 32, height: 2
        ) {
            cff_frame_set_interlaced($0, 0)
        } sample: { _, _, _ in
            100
        }
        let report = try picture(frame).report
        #expect(report.fields == .coded && report.notes.count == 1)
    }

    /// A bar that moves by 6 pixels from field to field, over thin lines that stand still.
    private func scene(_ code: AVPixelFormat, from instant: Int, topFirst: Bool) throws -> VideoFrame {
        let unit = 1 << (try #require(PixelFormat(code)).depth - 8)
        return try TestFrame.make(
            code, width: 96, height: 64, tags: .init(range: AVCOL_RANGE_MPEG)
        ) { frame in
            cff_frame_set_interlaced(frame, topFirst ? 1 : 0)
        } sample: { component, x, y in
            let time = instant + ((y % 2 == 0) == topFirst ? 0 : 1)
            let isBar = 30 + 6 * time..<46 + 6 * time ~= x && 16..<48 ~= y
            return (component > 0 ? 128 : isBar ? 235 : y % 5 == 0 ? 120 : 60) * unit
        }
    }

    @Test(arguments: formats) func neighboursKeepDetailThatStandsStill(code: AVPixelFormat) throws {
        for topFirst in [true, false] {
            for (wish, isSecond) in [(Deinterlacing.automatic, false), (topFirst ? .bottom : .top, true)] {
                var neighbours = FrameNeighbours()
                neighbours.before = try scene(code, from: -2, topFirst: topFirst)
                neighbours.after = try scene(code, from: 2, topFirst: topFirst)
                var options = PictureOptions()
                options.deinterlacing = wish
                var converter = PictureConverter()
                let (picture, report) = try converter.picture(
                    from: try scene(code, from: 0, topFirst: topFirst), neighbours: neighbours, options: options)
                #expect(report.fields == ((topFirst != isSecond) ? .top : .bottom))
                let start = isSecond ? 36 : 30
                // Within the bar, and where it never was: no row of another instant, no blurred line. The rows at its upper
                // and lower edge are guessed.
                for y in 0..<64 where !(11..<20 ~= y) && !(44..<53 ~= y) {
                    #expect(abs(picture.pixel(start + 8, y)[0] - (16..<48 ~= y ? 255 : y % 5 == 0 ? 121 : 51)) < 3)
                    #expect(abs(picture.pixel(6, y)[0] - (y % 5 == 0 ? 121 : 51)) < 3, "row \(y)")
                }
            }
        }
    }

    /// Film of stripes, which move by half a stripe from frame to frame, and before it a box that moves in fields.
    private func film(_ number: Int, hasBox: Bool) throws -> VideoFrame {
        try TestFrame.make(AV_PIX_FMT_YUV420P, width: 640, height: 360) {
            cff_frame_set_interlaced($0, 1)
        } sample: { component, x, y in
            let start = 100 + 6 * (2 * number + y % 2)
            if component > 0 { return 128 }
            if hasBox && start..<start + 24 ~= x && 200..<216 ~= y { return 235 }
            return (x + 8 * number) / 16 % 2 == 0 ? 60 : 150
        }
    }

    @Test(arguments: [true, false]) func whatMovesInFieldsBeforeFilmLeavesNoCombs(hasBox: Bool) throws {
        var neighbours = FrameNeighbours()
        neighbours.before = try film(0, hasBox: hasBox)
        neighbours.after = try film(2, hasBox: hasBox)
        var converter = PictureConverter()
        let (picture, report) = try converter.picture(from: try film(1, hasBox: hasBox), neighbours: neighbours)
        #expect(report.fields == (hasBox ? .top : .whole))
        // The box of the first field is in all rows, and nothing of the second one's, 6 further on.
        for y in 202..<214 where hasBox {
            #expect(picture.pixel(124, y)[0] > 240 && picture.pixel(139, y)[0] < 200, "row \(y)")
        }
    }

    @Test func aCutBeforeTheFrameLeavesNoGhost() throws {
        var neighbours = FrameNeighbours()
        neighbours.before = try TestFrame.make(AV_PIX_FMT_YUV420P, width: 96, height: 64) { component, x, y in
            component > 0 ? 128 : (x / 3 + y / 2) % 2 == 0 ? 235 : 120
        }
        let alone = try picture(movingBar(AV_PIX_FMT_YUV420P, topFirst: true)).picture
        var converter = PictureConverter()
        let taken = try converter.picture(
            from: try movingBar(AV_PIX_FMT_YUV420P, topFirst: true), neighbours: neighbours
        ).picture
        #expect(taken == alone)
    }

    /// Any size, any neighbours: a picture or a note, never a trap.
    @Test(arguments: Deinterlacing.allCases) func survivesWhateverTheFramesAre(wish: Deinterlacing) throws {
        var options = PictureOptions()
        options.deinterlacing = wish
        let noise = { (width: Int, height: Int, seed: Int) in
            try TestFrame.make(AV_PIX_FMT_YUV420P10LE, width: width, height: height) {
                cff_frame_set_interlaced($0, Int32(seed % 2))
            } sample: { component, x, y in
                ((x &* 7919 &+ y &* 104_729 &+ component &* 31 &+ seed &* 1_299_709) &* 2_654_435_761 >> 7) & 1023
            }
        }
        for width in [1, 2, 3, 17] {
            for height in 1...9 {
                for (before, after) in [(height, height), (height + 1, height), (height, 1)] {
                    var neighbours = FrameNeighbours()
                    neighbours.before = try noise(width, before, 1)
                    neighbours.after = try noise(width, after, 2)
                    var converter = PictureConverter()
                    let (picture, report) = try converter.picture(
                        from: try noise(width, height, 3 + width), neighbours: neighbours, options: options)
                    #expect(picture.width == width && picture.height == height)
                    #expect((report.fields == .coded) == (wish == .never || height < 4))
                }
            }
        }
    }
}
