import Testing

@testable import SnapCLI

@Suite struct FingerprintTests {
    /// FNV-1a of 128 bits, by its authors' test vectors; the end of a text is a byte 0xff more.
    @Test func isThatOfItsDefinition() {
        #expect(Fingerprint("").text == reference([0xff]))
        #expect(Fingerprint("foobar").text == reference(Array("foobar".utf8) + [0xff]))
        #expect(reference(Array("a".utf8)) == "d228cb696f1a8caf78912b704e4a8964")
        #expect(reference(Array("foobar".utf8)) == "343e1662793c64bf6f0d3597ba446f18")
    }

    private func reference(_ bytes: [UInt8]) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in bytes { hash = (hash ^ UInt128(byte)) &* ((1 << 88) + 0x13b) }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    @Test func textsThatAreAddedAreKeptApart() {
        var (one, other) = (Fingerprint("ab"), Fingerprint("a"))
        one.add("c")
        other.add("bc")
        #expect(one != other)
    }

    @Test func comesBackFromItsText() {
        let print = Fingerprint("film.mp4")
        #expect(Fingerprint(hex: print.text) == print)
        for text in ["", "12", String(repeating: "x", count: 32), "+" + String(repeating: "1", count: 31)] {
            #expect(Fingerprint(hex: text) == nil, "\(text)")
        }
    }

    @Test(arguments: [2, 3, 5, 7, 10, 100])
    func namesThatAreAlikeSpreadOverAllParts(_ count: Int) {
        var sizes = [Int](repeating: 0, count: count)
        for number in 0..<100 * count { sizes[Fingerprint("/films/clip \(number).mp4").part(of: count)] += 1 }
        #expect(sizes.allSatisfy { 50...160 ~= $0 }, "\(sizes)")
    }
}
