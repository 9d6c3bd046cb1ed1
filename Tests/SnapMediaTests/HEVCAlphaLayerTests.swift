import TestSupport
import Testing

@testable import SnapMedia

/// Configuration records written by hand after ISO/IEC 14496-15, 8.3.3.1.
@Suite struct HEVCAlphaLayerTests {
    private let names: [UInt8] = [0x40, 1, 0x0C, 0x11, 0xFF, 0xFF]
    private let sequence: [UInt8] = [0x42, 9, 0x01, 0x60]
    private let picture: [UInt8] = [0x44, 9, 0x48, 0x17]

    private func record(_ units: [[UInt8]]) -> [UInt8] {
        [1] + [UInt8](repeating: 0, count: 20) + [3, UInt8(units.count)]
            + units.flatMap { [$0[0] >> 1 & 63, 0, 1, 0, UInt8($0.count)] + $0 }
    }

    private func layer(_ message: [UInt8], _ units: [[UInt8]]? = nil) -> HEVCAlphaLayer? {
        HEVCAlphaLayer(configuration: record((units ?? [names, sequence, picture]) + [message]))
    }

    @Test func theLayerIsAStreamOfItsOwn() throws {
        let base: [UInt8] = [0x42, 1, 0x01, 0x60]
        let configuration = record([
            names, base, sequence, [0x44, 1, 0xC1, 0x72], picture, LayeredMovie.message(use: 0),
        ])
        let layer = try #require(HEVCAlphaLayer(configuration: configuration))
        #expect(!layer.isPremultiplied)
        // A video parameter set that knows of two layers, (0x0C11 >> 4) & 63 + 1, comes to know of one.
        let alone: [UInt8] = [0x40, 1, 0x0C, 0x01, 0xFF, 0xFF]
        let alpha = try #require(HEVCConfiguration(layer.configuration))
        #expect(alpha.units.map(\.bytes) == [alone, [0x42, 1, 0x01, 0x60], [0x44, 1, 0x48, 0x17]])
        let pictures = try #require(HEVCConfiguration(layer.pictureConfiguration))
        #expect(pictures.units.map(\.bytes).prefix(3) == [alone, base, [0x44, 1, 0xC1, 0x72]])
        #expect(pictures.units.allSatisfy { $0.layer == 0 })
    }

    @Test func itsUnitsAreTakenOutOfPackets() throws {
        let layer = try #require(self.layer(LayeredMovie.message(use: 1)))
        #expect(layer.isPremultiplied)
        func packet(_ units: [[UInt8]]) -> [UInt8] { units.flatMap { NALUnits.behindLengths(4).framed($0) } }
        // The end of a sequence, of two bytes, is that of both.
        let end: [UInt8] = [0x48, 1]
        let bytes = packet([names, [0x28, 1, 5, 5, 5], end, [0x28, 9, 7, 7], [0x4E, 9, 132, 0]])
        let taken = packet([[0x40, 1, 0x0C, 0x01, 0xFF, 0xFF], end, [0x28, 1, 7, 7], [0x4E, 1, 132, 0]])
        #expect(layer.packet(of: bytes.span) == taken)
        #expect(
            layer.pictures(of: bytes.span) == packet([[0x40, 1, 0x0C, 0x01, 0xFF, 0xFF], [0x28, 1, 5, 5, 5], end]))
        #expect(layer.isKey(taken))
        #expect(!layer.isKey(packet([[0x02, 1, 7, 7]])))
        #expect(layer.packet(of: packet([[0x28, 1, 5, 5, 5]]).span) == nil)
        #expect(layer.packet(of: [0, 0, 0, 9, 1].span) == nil)
    }

    @Test func layersOfOtherKindsAreLeft() {
        #expect(layer(LayeredMovie.message(use: 0)) != nil)
        for message in [
            LayeredMovie.message(use: 2), LayeredMovie.message(use: 0, transparent: 1),
            LayeredMovie.message(use: 0, opaque: 235), [0x4E, 1, 165, 4, 0, 0],
            [0x4E, 1, 5, 4, 165, 4, 0, 0, 0x7F, 0x90],
        ] { #expect(layer(message) == nil) }
        // One that is told by the layer below.
        #expect(layer(LayeredMovie.message(use: 0), [names, [0x42, 9, 0x0F, 0x60], picture]) == nil)
        #expect(layer(LayeredMovie.message(use: 0), [names, [0x42, 1, 0x01, 0x60], picture]) == nil)
    }

    /// The video parameter set that x265 4.3 writes for alpha of 320x240, and the start of one of VideoToolbox's.
    private let ofX265: [UInt8] = [
        0x40, 0x01, 0x0C, 0x11, 0xFF, 0xFF, 0x01, 0x60, 0x00, 0x00, 0x03, 0x00, 0x90, 0x00, 0x00, 0x03, 0x00, 0x00,
        0x03,
        0x00, 0x3C, 0x95, 0x98, 0x15, 0xBF, 0x3C, 0x18, 0x00, 0x01, 0x07, 0x04, 0x38, 0x38, 0x08, 0x00, 0x00, 0x04,
        0xFC,
        0x40, 0x00, 0x00, 0x03, 0x00, 0x01, 0xE4, 0x68, 0x0A, 0x00, 0x07, 0x85, 0x00, 0x51, 0x4A, 0xCD, 0x48,
    ]
    private let ofVideoToolbox: [UInt8] = [
        0x40, 1, 0x0C, 0x11, 0xFF, 0xFF, 0x01, 0x60, 0, 0, 3, 0, 0x90, 0, 0, 3, 0, 0, 3, 0, 0x3C,
        0x11, 0xC0, 0xBF, 0x78, 0x08, 0x00, 0x08, 0x30, 0x28, 0x52, 0, 0, 3, 0, 0, 0x65, 0x20,
    ]

    @Test func theSecondLayerIsWhatItsSetSays() throws {
        let second = try #require(HEVCUnit(ofX265).flatMap(HEVCSecondLayer.init))
        #expect(second.auxiliary == 1 && !second.isDependent && second.hasOrderInEntries == false)
        let other = try #require(HEVCUnit(ofVideoToolbox).flatMap(HEVCSecondLayer.init))
        #expect(other.auxiliary == 1 && !other.isDependent && other.hasOrderInEntries == nil)
        #expect(HEVCUnit(names).flatMap(HEVCSecondLayer.init) == nil)
        // poc_lsb_not_present_flag, with the bytes that keep start codes out.
        var ordered = ofX265
        ordered[51] &= ~0x10
        let third = try #require(HEVCUnit(ordered).flatMap(HEVCSecondLayer.init))
        #expect(third.hasOrderInEntries == true)
        #expect(layer(LayeredMovie.message(use: 0), [ofX265, sequence, picture]) != nil)
        #expect(layer(LayeredMovie.message(use: 0), [ordered, sequence, picture]) == nil)
        // Without the message, the set says enough.
        #expect(HEVCAlphaLayer(configuration: record([ofX265, sequence, picture])) != nil)
        for count in 0..<ofX265.count {
            _ = HEVCUnit(ofX265.prefix(count)).flatMap(HEVCSecondLayer.init)
        }
    }

    @Test func theMessageOfAlphaIsFoundAmongOthers() {
        func isNamed(_ unit: [UInt8]) -> Bool { HEVCAlphaLayer.isNamed(in: record([names, unit])) }
        #expect(isNamed([0x4E, 1, 165, 4, 0, 0, 0x7F, 0x90, 0x80]))
        #expect(isNamed([0x4E, 1, 5, 2, 9, 9, 165, 4, 0, 0, 0x7F, 0x90, 0x80]))
        // Taken back; no message of this kind; no message.
        #expect(!isNamed([0x4E, 1, 165, 1, 0x80, 0x80]))
        #expect(!isNamed([0x4E, 1, 5, 4, 165, 0, 0, 0, 0x80]))
        #expect(!isNamed([0x40, 1, 165, 4, 0, 0, 0x7F, 0x90, 0x80]))
        #expect(!HEVCAlphaLayer.isNamed(in: [0, 0, 0, 1, 0x4E, 1, 165, 4]))
        #expect(!HEVCAlphaLayer.isNamed(in: []))
    }

    @Test func recordsThatEndEarlyNameNothing() {
        let whole = record([sequence, LayeredMovie.message(use: 0)])
        for count in 0..<whole.count { #expect(!HEVCAlphaLayer.isNamed(in: Array(whole.prefix(count)))) }
        #expect(!HEVCAlphaLayer.isNamed(in: record([]).dropLast() + [255, 39, 255, 255, 255, 255]))
    }
}
