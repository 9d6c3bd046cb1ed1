/// What a temporal unit of AV1 does with the eight slots in which a decoder keeps frames, bit n for slot n (AV1
/// specification, 7.20 and 7.21).
struct SlotUse: Hashable {
    /// Read before the unit itself replaces them.
    var reads: UInt8 = 0
    /// Which it may write.
    var writes: UInt8 = 0
    /// Which hold, after it, nothing of what they held before.
    var replaces: UInt8 = 0
    /// Shown again as they are. A key frame that is shown so is written into all slots.
    var showsAgain: UInt8 = 0
    /// Whether it may keep a key frame that is shown later.
    var maySaveKey = false

    /// Of a frame that may do anything.
    static let unknown = SlotUse(reads: .max, writes: .max, maySaveKey: true)

    /// Another frame follows in the unit.
    mutating func append(_ frame: SlotUse) {
        reads |= (frame.reads | frame.showsAgain) & ~replaces
        writes |= frame.writes
        replaces |= frame.replaces
        showsAgain |= frame.showsAgain
        maySaveKey = maySaveKey || frame.maySaveKey
    }

    /// Which of the units are of no use to the ones that are wanted.
    ///
    /// - Parameters:
    ///   - units: In decoding order; `nil` for one whose headers can't be made out.
    ///   - wanted: From where on all are wanted; `nil` where whatever follows the last one is wanted.
    static func isUseless(in units: [SlotUse?], wanted: Int?) -> [Bool] {
        var units = units.map { $0 ?? .unknown }
        var savedKeys = UInt8.max
        for index in units.indices {
            let unit = units[index]
            if unit.showsAgain & (unit.maySaveKey ? .max : savedKeys) != 0 { units[index].writes = .max }
            savedKeys = unit.maySaveKey ? savedKeys | unit.writes : savedKeys & ~unit.replaces
        }
        var isUseless = units.map { _ in false }
        // The slots whose frames are read further on.
        var awaited: UInt8 = wanted == nil ? .max : 0
        for index in units.indices.reversed() {
            let unit = units[index]
            if index < wanted ?? units.count, unit.writes & awaited == 0 {
                isUseless[index] = true
            } else {
                awaited = awaited & ~unit.replaces | unit.reads
            }
        }
        return isUseless
    }
}
