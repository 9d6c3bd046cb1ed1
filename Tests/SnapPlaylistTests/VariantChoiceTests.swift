import SnapBase
import Testing

@testable import SnapPlaylist

@Suite("Which variant is taken")
struct VariantChoiceTests {
    private let ladder = """
        #EXT-X-STREAM-INF:BANDWIDTH=1500000,RESOLUTION=960x540,CODECS="avc1.64001f,mp4a.40.2"
        540
        #EXT-X-STREAM-INF:BANDWIDTH=600000,AVERAGE-BANDWIDTH=500000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2"
        360
        #EXT-X-STREAM-INF:BANDWIDTH=700000,RESOLUTION=640x360,CODECS="avc1.64001e"
        360b
        #EXT-X-STREAM-INF:BANDWIDTH=150000,RESOLUTION=256x144,CODECS="avc1.64000c,mp4a.40.2"
        144
        #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
        sound
        #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=960x540,CODECS="hvc1.2.4.L120.90",VIDEO-RANGE=PQ
        hdr
        """

    private func order(_ wish: VariantWish, decoders: Set<String> = ["h264", "hevc"]) throws -> [String] {
        try variants(ladder).ranked(for: wish) { decoders.contains($0) }.variants.map(\.uri)
    }

    @Test("The smallest that fills the box, else the largest; SDR first; the fewest bits of equals")
    func sizes() throws {
        #expect(try order(VariantWish(.automatic, for: .width(320))) == ["360", "360b", "540", "144", "hdr"])
        #expect(try order(VariantWish(.automatic, for: .box(width: 256, height: 144))).first == "144")
        #expect(try order(VariantWish(.automatic, for: .width(265))).first == "144")  // 5 % of slack
        #expect(try order(VariantWish(.automatic, for: .width(280))).first == "360")
        #expect(try order(VariantWish(.automatic, for: .height(500))).first == "540")
        #expect(try order(VariantWish(.automatic, for: .width(1920))).first == "540")
        #expect(try order(VariantWish(.automatic)).first == "540")
    }

    @Test("By name")
    func rules() throws {
        #expect(try order(VariantWish(.smallest)).first == "144")
        #expect(try order(VariantWish(.largest)).first == "540")
        #expect(try order(VariantWish(.index(3))) == ["144"])
        #expect(try order(VariantWish(.index(4))) == [])  // sound only
        #expect(try order(VariantWish(.size(width: 640, height: 360))) == ["360", "360b"])
        #expect(try order(VariantWish(.bandwidth(1_500_000))) == ["540"])
    }

    @Test("What can't be shown is left out, and said to be")
    func reasons() throws {
        let ranked = try variants(ladder).ranked(for: VariantWish(.automatic)) { $0 == "h264" }
        #expect(!ranked.variants.map(\.uri).contains("hdr"))
        #expect(ranked.reasons == ["audio only: 1", "no decoder for hevc"])
    }

    @Test("A VIDEO group's own playlist carries the video")
    func groups() throws {
        let list = try variants(
            """
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="g",NAME="a",URI="camera-a"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="g",NAME="b",DEFAULT=YES,URI="camera-b"
            #EXT-X-STREAM-INF:BANDWIDTH=1,VIDEO="g"
            main
            """)
        #expect(list.videoURI(of: list.variants[0]) == "camera-b")
    }
}
