import TestSupport
import Testing

@testable import SnapMedia

@Suite("Headers of H.264, written bit by bit, are read to their end")
struct AVCSyntaxTests {
    /// What a stream makes use of; by default, of little.
    struct Usage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var profile = 77
        /// `chroma_format_idc`
        var chroma = 1
        var separatePlanes = false
        var scalingLists = false
        var orderType = 0
        var givesOrder = true
        /// `nil` where all is frames.
        var isField: Bool?
        var hasFieldOrder = false
        /// P, B, I, SP, SI.
        var sliceType = 0
        var weights = false
        var referenceCounts = [1, 1]
        var sliceCounts: [Int]?
        var modifiesLists = false
        var redundant = false

        init(_ name: String, _ change: (inout Usage) -> Void = { _ in }) {
            testDescription = name
            change(&self)
        }
    }

    static let usages: [Usage] = [
        Usage("P"), Usage("I") { $0.sliceType = 2 }, Usage("SP") { $0.sliceType = 3 }, Usage("SI") { $0.sliceType = 4 },
        Usage("B") { $0.sliceType = 1 },
        Usage("B of several references") { ($0.sliceType, $0.referenceCounts) = (1, [3, 2]) },
        Usage("counts of its own") { ($0.sliceType, $0.sliceCounts) = (1, [4, 1]) },
        Usage("other lists") { ($0.sliceType, $0.modifiesLists) = (1, true) },
        Usage("weights") { ($0.weights, $0.referenceCounts) = (true, [3, 1]) },
        Usage("weights of B") { ($0.sliceType, $0.weights, $0.referenceCounts) = (1, true, [2, 3]) },
        Usage("weights, monochrome") { ($0.profile, $0.chroma, $0.weights) = (100, 0, true) },
        Usage("weights, counts and lists") {
            ($0.sliceType, $0.weights, $0.modifiesLists, $0.sliceCounts) = (1, true, true, [3, 3])
        },
        Usage("4:4:4") { ($0.profile, $0.chroma, $0.scalingLists) = (244, 3, true) },
        Usage("planes on their own") {
            ($0.profile, $0.chroma, $0.separatePlanes, $0.weights) = (244, 3, true, true)
        },
        Usage("scaling lists") { ($0.profile, $0.scalingLists) = (100, true) },
        Usage("field") { $0.isField = true }, Usage("frame among fields") { $0.isField = false },
        Usage("order of fields") { ($0.isField, $0.hasFieldOrder) = (false, true) },
        Usage("order of a field") { ($0.isField, $0.hasFieldOrder) = (true, true) },
        Usage("order by a cycle") { ($0.orderType, $0.hasFieldOrder) = (1, true) },
        Usage("order by a cycle alone") { ($0.orderType, $0.givesOrder) = (1, false) },
        Usage("order of coding") { $0.orderType = 2 }, Usage("redundant pictures") { $0.redundant = true },
    ]

    @Test("Whether a picture forgets all before it", arguments: usages)
    func forgetting(_ usage: Usage) throws {
        for (operations, forgets) in [
            ([], false), ([[5]], true), ([[1, 0], [2, 3], [3, 1, 0], [4, 2], [6, 0]], false),
            ([[3, 0, 1], [5], [6, 2]], true),
        ] {
            let slice = try #require(
                read(sequence(usage) + picture(usage) + slice(usage, number: 11, operations)))
            #expect(slice.number == 11 && slice.numberCount == 32 && slice.isReference && !slice.isIDR)
            #expect(slice.isField == (usage.isField ?? false) && slice.isIntra == [2, 4].contains(usage.sliceType))
            #expect(slice.startsNumbersAnew == forgets, "\(operations)")
        }
    }

    @Test("Of groups of slices, the end of the header is not known, nor of one that is cut off")
    func unknown() throws {
        let usage = Usage("P")
        let grouped = sequence(usage) + picture(usage, groups: 1) + slice(usage, number: 3, [[5]])
        #expect(try #require(read(grouped)).startsNumbersAnew == nil)
        let cut = sequence(usage) + picture(usage) + slice(usage, number: 3, [[5]]).prefix(8)
        #expect(try #require(read(cut)).startsNumbersAnew == nil)
    }

    private func read(_ bytes: [UInt8]) -> AVCSlice? {
        var syntax = AVCSyntax(configuration: [])
        return syntax.firstSlice(in: bytes.span)
    }

    // MARK: Writing (ITU-T H.264, 7.3)

    private func unit(_ header: UInt8, _ write: (inout BitWriter) -> Void) -> [UInt8] {
        var bits = BitWriter()
        write(&bits)
        bits.end()
        return NALUnit.behindStartCode([header] + bits.bytes)
    }

    private func sequence(_ usage: Usage) -> [UInt8] {
        unit(0x67) { bits in
            bits.add([UInt8(usage.profile), 0, 40])
            bits.addUnsigned(2)
            if usage.profile != 77 {
                bits.addUnsigned(usage.chroma)
                if usage.chroma == 3 { bits.add(usage.separatePlanes ? 1 : 0, bits: 1) }
                for _ in 0..<2 { bits.addUnsigned(0) }
                bits.add(0, bits: 1)
                bits.add(usage.scalingLists ? 1 : 0, bits: 1)
                if usage.scalingLists {
                    for list in 0..<(usage.chroma == 3 ? 12 : 8) {
                        bits.add(list % 3 == 2 ? 0 : 1, bits: 1)
                        if list % 3 == 0 { bits.addSigned(-8) }  // the default, at once
                        if list % 3 == 1 {
                            for place in 0..<(list < 6 ? 16 : 64) { bits.addSigned(place % 2 == 0 ? 9 : -7) }
                        }
                    }
                }
            }
            bits.addUnsigned(1)  // numbers of 5 bits
            bits.addUnsigned(usage.orderType)
            if usage.orderType == 0 { bits.addUnsigned(3) }  // of 7 bits
            if usage.orderType == 1 {
                bits.add(usage.givesOrder ? 0 : 1, bits: 1)
                bits.addSigned(-3)
                bits.addSigned(1)
                bits.addUnsigned(2)
                for offset in [5, -2] { bits.addSigned(offset) }
            }
            bits.addUnsigned(4)
            bits.add(0, bits: 1)
            for length in [11, 8] { bits.addUnsigned(length) }
            bits.add(usage.isField == nil ? 1 : 0, bits: 1)
            if usage.isField != nil { bits.add(1, bits: 1) }
            bits.add(0b100, bits: 3)
        }
    }

    private func picture(_ usage: Usage, groups: Int = 0) -> [UInt8] {
        unit(0x68) { bits in
            for id in [7, 2] { bits.addUnsigned(id) }
            bits.add(1, bits: 1)
            bits.add(usage.hasFieldOrder ? 1 : 0, bits: 1)
            bits.addUnsigned(groups)
            if groups > 0 { for value in [0, 3, 3] { bits.addUnsigned(value) } }
            for count in usage.referenceCounts { bits.addUnsigned(count - 1) }
            bits.add(usage.weights ? 1 : 0, bits: 1)
            bits.add(usage.weights ? 1 : 2, bits: 2)
            for quantizer in [-3, 0, 2] { bits.addSigned(quantizer) }
            bits.add(0b10, bits: 2)
            bits.add(usage.redundant ? 1 : 0, bits: 1)
        }
    }

    /// - Parameter operations: Of memory_management_control_operation, with their numbers.
    private func slice(_ usage: Usage, number: Int, _ operations: [[Int]]) -> [UInt8] {
        unit(0x61) { bits in
            for value in [0, usage.sliceType + 5, 7] { bits.addUnsigned(value) }
            if usage.separatePlanes { bits.add(2, bits: 2) }
            bits.add(number, bits: 5)
            if let isField = usage.isField { bits.add(isField ? 0b11 : 0, bits: isField ? 2 : 1) }
            let ordersFields = usage.hasFieldOrder && usage.isField != true
            if usage.orderType == 0 {
                bits.add(77, bits: 7)
                if ordersFields { bits.addSigned(-1) }
            } else if usage.orderType == 1, usage.givesOrder {
                bits.addSigned(4)
                if ordersFields { bits.addSigned(-2) }
            }
            if usage.redundant { bits.addUnsigned(1) }
            let lists = [1, 2, 0, 1, 0][usage.sliceType]
            if lists == 2 { bits.add(1, bits: 1) }
            if lists > 0 {
                bits.add(usage.sliceCounts == nil ? 0 : 1, bits: 1)
                for count in (usage.sliceCounts ?? []).prefix(lists) { bits.addUnsigned(count - 1) }
            }
            for _ in 0..<lists {
                bits.add(usage.modifiesLists ? 1 : 0, bits: 1)
                if usage.modifiesLists { for value in [0, 2, 1, 0, 2, 5, 3] { bits.addUnsigned(value) } }
            }
            if usage.weights, lists > 0 {
                let hasChroma = usage.chroma != 0 && !usage.separatePlanes
                bits.addUnsigned(5)
                if hasChroma { bits.addUnsigned(6) }
                for count in (usage.sliceCounts ?? usage.referenceCounts).prefix(lists) {
                    for reference in 0..<count {
                        bits.add(reference % 2, bits: 1)
                        if reference % 2 == 1 { for value in [31, -4] { bits.addSigned(value) } }
                        guard hasChroma else { continue }
                        bits.add(1 - reference % 2, bits: 1)
                        if reference % 2 == 0 { for value in [60, 1, 63, -1] { bits.addSigned(value) } }
                    }
                }
            }
            bits.add(operations.isEmpty ? 0 : 1, bits: 1)
            for value in operations.joined() { bits.addUnsigned(value) }
            if !operations.isEmpty { bits.addUnsigned(0) }
            for value in [0, 3] { bits.addUnsigned(value) }  // the rest of the header
        }
    }
}
