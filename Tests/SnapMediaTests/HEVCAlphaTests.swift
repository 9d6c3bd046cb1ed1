import Testing

@testable import SnapMedia

/// Configuration records written by hand after ISO/IEC 14496-15, 8.3.3.1.
@Suite struct HEVCAlphaTests {
    /// - Parameter units: Each with the type of its array.
    private func record(_ units: [(type: UInt8, bytes: [UInt8])]) -> [UInt8] {
        [1] + [UInt8](repeating: 0, count: 21) + [UInt8(units.count)]
            + units.flatMap { [$0.type, 0, 1, 0, UInt8($0.bytes.count)] + $0.bytes }
    }

    @Test func theMessageOfAlphaIsFound() {
        let message: [UInt8] = [0x4E, 1, 165, 4, 0, 0, 0x7F, 0x90, 0x80]
        #expect(HEVCAlpha.isNamed(in: record([(32, [0x40, 1, 9]), (33, [0x42, 1, 9]), (0x80 | 39, message)])))
    }

    @Test func otherMessagesAndOtherUnitsAreNot() {
        #expect(!HEVCAlpha.isNamed(in: record([(32, [0x40, 1, 165]), (39, [0x4E, 1, 5, 4, 165])])))
        #expect(!HEVCAlpha.isNamed(in: record([])))
        #expect(!HEVCAlpha.isNamed(in: [0, 0, 0, 1, 0x4E, 1, 165, 4]))
        #expect(!HEVCAlpha.isNamed(in: []))
    }

    @Test func recordsThatEndEarlyNameNothing() {
        let whole = record([(33, [0x42, 1, 9]), (39, [0x4E, 1, 165, 4])])
        for count in 0..<whole.count - 1 { #expect(!HEVCAlpha.isNamed(in: Array(whole.prefix(count)))) }
        #expect(!HEVCAlpha.isNamed(in: record([]).dropLast() + [255, 39, 255, 255, 255, 255]))
    }
}
