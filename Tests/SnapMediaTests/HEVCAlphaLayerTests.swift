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
        let bytes = packet([names, [0x28, 1, 5, 5, 5], [0x28, 9, 7, 7], [0x4E, 9, 132, 0]])
        let taken = packet([[0x40, 1, 0x0C, 0x01, 0xFF, 0xFF], [0x28, 1, 7, 7], [0x4E, 1, 132, 0]])
        #expect(layer.packet(of: bytes.span) == taken)
        #expect(layer.pictures(of: bytes.span) == packet([[0x40, 1, 0x0C, 0x01, 0xFF, 0xFF], [0x28, 1, 5, 5, 5]]))
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
