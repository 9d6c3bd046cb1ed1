import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

/// Patches through every matrix, range, depth, transfer and primaries, against values that
/// `Tests/ColourReference/reference.py` computes from the standards.
@Suite struct ColourReferenceTests {
    @Test("The table has what it is for") func coverage() {
        let patches = ReferencePatch.all
        #expect(patches.count > 45_000)
        for depth in [8, 10, 12, 16] {
            let videos = Set(patches.lazy.filter { $0.depth == depth }.map(\.video))
            // 9 matrices go with all of 16 transfers and 10 primaries, in 2 ranges; ICtCp with PQ and HLG and BT.2020 only,
            // both kinds of constant luminance with 3 and 7 transfers and 1 and 10 primaries.
            #expect(videos.count == 2 * (9 * 160 + 2 + 3 + 6 * 10))
        }
    }

    @Test("SDR comes out within a CIEDE2000 of 1", arguments: [8, 10, 12, 16])
    func standardRange(depth: Int) throws {
        try check(depth: depth, isHigh: false, limit: 1)
    }

    @Test("HDR comes out within a CIEDE2000 of 2", arguments: [8, 10, 12, 16])
    func highRange(depth: Int) throws {
        try check(depth: depth, isHigh: true, limit: 2)
    }

    private func check(depth: Int, isHigh: Bool, limit: Double) throws {
        let patches = ReferencePatch.all.filter { $0.depth == depth && $0.isHigh == isHigh }
        var count = 0
        for group in Dictionary(grouping: patches, by: \.video).values {
            let colours = try #require(group.first).pictures(of: group)
            for (patch, colour) in zip(group, colours) {
                if patch.isInside {
                    let difference = ColourDifference.ciede2000(patch.colour, colour.map(Double.init))
                    #expect(difference <= limit, "\(patch) became \(colour)")
                    count += 1
                } else {
                    let turn = ColourDifference.hueTurn(fromLight: patch.colour, to: colour)
                    #expect((turn ?? 0) <= 6, "\(patch) became \(colour)")
                }
            }
        }
        #expect(count > 50)
    }

    @Test("The measure of differences gives the values published with it")
    func measure() {
        // G. Sharma, W. Wu, E. N. Dalal: The CIEDE2000 color-difference formula, table 1: pairs 1, 7, 10, 17, 20, 25.
        let pairs: [([Double], [Double], Double)] = [
            ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425), ([50, 0, 0], [50, -1, 2], 2.3669),
            ([50, 2.4900, -0.0010], [50, -2.4900, 0.0010], 7.1792), ([50, 2.5, 0], [73, 25, -18], 27.1492),
            ([50, 2.5, 0], [50, 3.2592, 0.3350], 1.0),
            ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ]
        for (first, second, expected) in pairs {
            #expect(abs(ColourDifference.ciede2000(lab: first, second) - expected) < 0.0001)
        }
    }
}
