/// Changes to MP4 files that ffmpeg does not make itself. The file's `moov` is last, so that it may grow.
extension BytePatch {
    /// A display matrix that turns the picture.
    static func displayMatrix(_ turn: Turn, width: Int, height: Int) -> BytePatch {
        boxes("display matrix \(turn.rawValue) \(width) \(height)") { boxes in
            ISOBox.change("moov/trak/tkhd", in: &boxes) { box in
                let m = turn.matrix
                // The turned picture is moved back to where its corner is at the origin.
                let x = m.a + m.c < 0 ? (turn.exchangesSides ? height : width) : 0
                let y = m.b + m.d < 0 ? (turn.exchangesSides ? width : height) : 0
                let fixed = [Int(m.a), Int(m.b), 0, Int(m.c), Int(m.d), 0, x, y].map { $0 << 16 } + [1 << 30]
                box.payload.replaceSubrange(40..<76, with: fixed.flatMap { ISOBox.bigEndian($0, bytes: 4) })
            }
        }
    }

    /// The linear part of a display matrix, in whole units, by rows.
    static func displayMatrix(_ linear: [Double]) -> BytePatch {
        boxes("display matrix \(linear)") { boxes in
            ISOBox.change("moov/trak/tkhd", in: &boxes) { box in
                for (index, number) in zip([40, 44, 52, 56], linear) {
                    let fixed = ISOBox.bigEndian(Int(number * 65536), bytes: 4)
                    box.payload.replaceSubrange(index..<index + 4, with: fixed)
                }
            }
        }
    }

    /// Another edit list in the place of the one there is: how long, in milliseconds, from where in ticks of the track (-1:
    /// nothing is shown), and how fast.
    static func edits(_ edits: [(length: Int, start: Int, rate: Double)]) -> BytePatch {
        boxes("edits \(edits.map { "\($0.length) \($0.start) \($0.rate)" })") { boxes in
            ISOBox.change("moov/trak/edts/elst", in: &boxes) { box in
                let entries = edits.flatMap { [$0.length, $0.start, Int($0.rate * 65536)] }
                box.payload = ([0, edits.count] + entries).flatMap { ISOBox.bigEndian($0, bytes: 4) }
            }
        }
    }

    /// A whole sphere, in equal steps of longitude and latitude (Spherical Video V2: `sv3d`).
    static let equirectangular = boxes("equirectangular") { boxes in
        ISOBox.change("moov/trak/mdia/minf/stbl/stsd", in: &boxes) { box in
            let projection =
                ISOBox(type: "prhd", payload: [UInt8](repeating: 0, count: 16)).bytes
                + ISOBox(type: "equi", payload: [UInt8](repeating: 0, count: 20)).bytes
            let header = ISOBox(type: "svhd", payload: [0, 0, 0, 0] + Array("a\0".utf8)).bytes
            append(ISOBox(type: "sv3d", payload: header + ISOBox(type: "proj", payload: projection).bytes), to: &box)
        }
    }

    /// Adds a box to the first entry of a sample description.
    private static func append(_ child: ISOBox, to box: inout ISOBox) {
        let size = box.payload[8..<12].reduce(0) { $0 << 8 | Int($1) } + child.bytes.count
        box.payload.replaceSubrange(8..<12, with: ISOBox.bigEndian(size, bytes: 4))
        box.payload += child.bytes
    }

    /// A clean aperture whose centre lies off the picture's.
    static func cleanAperture(width: Int, height: Int, right: Int, down: Int) -> BytePatch {
        boxes("clean aperture \(width) \(height) \(right) \(down)") { boxes in
            ISOBox.change("moov/trak/mdia/minf/stbl/stsd", in: &boxes) { box in
                let numbers = [width, 1, height, 1, right, 1, down, 1].flatMap { ISOBox.bigEndian($0, bytes: 4) }
                append(ISOBox(type: "clap", payload: numbers), to: &box)
            }
        }
    }

    /// A last frame that lasts for no time at all.
    static let lastDurationMissing = boxes("last duration missing") { boxes in
        ISOBox.change("moov/trak/mdia/minf/stbl/stts", in: &boxes) { box in
            let (entries, frames) = (Array(box.payload[4..<8]), Array(box.payload.suffix(8).prefix(4)))
            guard frames != [0, 0, 0, 1] else {
                box.payload.replaceSubrange((box.payload.count - 4)..., with: [0, 0, 0, 0])
                return
            }
            // The last run gives up its last frame to a run of its own.
            box.payload.replaceSubrange(4..<8, with: Self.adding(1, to: entries))
            let place = box.payload.count - 8
            box.payload.replaceSubrange(place..<place + 4, with: Self.adding(-1, to: frames))
            box.payload += [0, 0, 0, 1, 0, 0, 0, 0]
        }
    }

    private static func adding(_ number: Int, to bytes: [UInt8]) -> [UInt8] {
        ISOBox.bigEndian(bytes.reduce(0) { $0 << 8 | Int($1) } + number, bytes: bytes.count)
    }

    /// `mdat` with a size of 64 bits in the room of the free box before it, and chunk offsets of 64 bits.
    static let widen = BytePatch(name: "widen") { bytes in
        var boxes = try ISOBox.parse(bytes[...])
        guard let free = boxes.firstIndex(where: { $0.type == "free" && $0.payload.isEmpty }),
            boxes.indices.contains(free + 1), boxes[free + 1].type == "mdat"
        else { throw ProcessError("no free box before mdat") }
        ISOBox.change("moov/trak/mdia/minf/stbl/stco", in: &boxes) { box in
            let offsets = stride(from: 8, to: box.payload.count, by: 4).map { box.payload[$0..<$0 + 4] }
            box.type = "co64"
            box.payload = box.payload[..<8] + offsets.flatMap { [0, 0, 0, 0] + $0 }
        }
        let media = boxes[free + 1].payload
        let header = ISOBox.bigEndian(1, bytes: 4) + Array("mdat".utf8) + ISOBox.bigEndian(media.count + 16, bytes: 8)
        return boxes[..<free].flatMap(\.bytes) + header + media + boxes[(free + 2)...].flatMap(\.bytes)
    }

    /// A data reference that says that the frames lie in another file.
    static func dataReference(_ type: String, _ content: [UInt8]) -> BytePatch {
        boxes("data reference \(type) \(content)") { boxes in
            ISOBox.change("moov/trak/mdia/minf/dinf/dref", in: &boxes) { box in
                // Version and flags, one entry; the entry's flags are 0: not in this file.
                let entry = ISOBox(type: type, payload: [0, 0, 0, 0] + content)
                box.payload = [0, 0, 0, 0, 0, 0, 0, 1] + entry.bytes
            }
        }
    }

    /// A Macintosh alias record, the data reference of QuickTime that libavformat follows.
    static func aliasReference(to path: String) -> BytePatch {
        var record = [UInt8](repeating: 0, count: 10)
        record += [0] + [UInt8](repeating: 0, count: 27)
        record += [UInt8](repeating: 0, count: 12)
        let name = Array(path.split(separator: "/").last?.utf8.prefix(63) ?? "".utf8.prefix(0))
        record += [UInt8(name.count)] + name + [UInt8](repeating: 0, count: 63 - name.count)
        record += [UInt8](repeating: 0, count: 16) + [0, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
        let text = Array(path.utf8) + (path.utf8.count % 2 == 1 ? [0] : [])
        record += [0, 2] + ISOBox.bigEndian(text.count, bytes: 2) + text + [0xFF, 0xFF, 0, 0]
        return dataReference("alis", record)
    }

    /// Another size in the headers of every JPEG frame.
    static func jpegSize(_ width: Int, _ height: Int) -> BytePatch {
        replaceAll([0xFF, 0xC0, 0x00, 0x11, 0x08], name: "jpeg size \(width) \(height)") { bytes, i in
            let size = ISOBox.bigEndian(height, bytes: 2) + ISOBox.bigEndian(width, bytes: 2)
            bytes.replaceSubrange(i + 5..<i + 9, with: size)
        }
    }
}
