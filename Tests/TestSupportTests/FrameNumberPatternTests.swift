import TestSupport
import Testing

@Suite struct FrameNumberPatternTests {
    private static let numbers = [0, 1, 2, 7, 59, 255, 256, 1023, 21845, 43690, 65535]

    @Test(arguments: numbers)
    func numberIsReadBack(_ number: Int) {
        for (width, height) in [(64, 30), (65, 37), (101, 57), (192, 108), (320, 180), (108, 192)] {
            let picture = FrameNumberPattern.picture(of: number, width: width, height: height)
            #expect(FrameNumberPattern.number(in: picture) == number)
        }
    }

    @Test(arguments: Turn.allCases)
    func everyTurnIsToldApart(_ turn: Turn) {
        for number in Self.numbers {
            let picture = FrameNumberPattern.picture(of: number, width: 192, height: 108).turned(by: turn)
            let reading = FrameNumberPattern.read(picture)
            #expect(reading?.number == number)
            #expect(reading?.turn == turn)
            #expect(FrameNumberPattern.number(in: picture.turned(by: turn.inverse)) == number)
        }
    }

    @Test(arguments: [(64, 36), (96, 54), (80, 80), (640, 360), (36, 64)])
    func numberSurvivesScaling(width: Int, height: Int) {
        for number in Self.numbers {
            let large = FrameNumberPattern.picture(of: number, width: 192, height: 108)
            var bytes: [UInt8] = []
            for y in 0..<height {
                for x in 0..<width {
                    let (r, g, b) = large[x * 192 / width, y * 108 / height]
                    bytes += [r, g, b]
                }
            }
            // 36 pixels are fewer than promised, and yet enough.
            #expect(FrameNumberPattern.number(in: RGBPicture(width: width, height: height, bytes: bytes)) == number)
        }
    }

    @Test func numberSurvivesNoiseAndLessContrast() {
        var random = SeededRandom(seed: 3)
        for number in Self.numbers {
            let clean = FrameNumberPattern.picture(of: number, width: 96, height: 54)
            let bytes = clean.bytes.map { UInt8(60 + Int($0) / 2 + Int.random(in: -30...30, using: &random)) }
            #expect(FrameNumberPattern.number(in: RGBPicture(width: 96, height: 54, bytes: bytes)) == number)
        }
    }

    @Test func mixedFramesAreNotRead() {
        let one = FrameNumberPattern.picture(of: 100, width: 96, height: 54)
        let other = FrameNumberPattern.picture(of: 155, width: 96, height: 54)
        let bytes = zip(one.bytes, other.bytes).map { UInt8((Int($0) + Int($1)) / 2) }
        #expect(FrameNumberPattern.read(RGBPicture(width: 96, height: 54, bytes: bytes)) == nil)
    }

    @Test func picturesWithoutNumberAreNotRead() {
        var random = SeededRandom(seed: 4)
        let noise = (0..<96 * 54 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(FrameNumberPattern.read(RGBPicture(width: 96, height: 54, bytes: noise)) == nil)
        let grey = [UInt8](repeating: 128, count: 96 * 54 * 3)
        #expect(FrameNumberPattern.read(RGBPicture(width: 96, height: 54, bytes: grey)) == nil)
    }

    @Test(arguments: FlatPattern.numbers)
    func levelIsReadBack(_ number: Int) {
        #expect(FlatPattern.number(in: FlatPattern.picture(of: number, width: 1, height: 1)) == number)
    }
}
