import Foundation
import TestSupport
import Testing

/// File names that are no UTF-8. They are made, named and listed by bash, byte for byte.
@Suite(.enabled(if: StrayBytes.areAllowed, "This file system takes UTF-8 only"))
struct StrayByteTests {
    /// "f", 0xFF, 0xFE.
    private let stem: [UInt8] = [0x66, 0xFF, 0xFE]

    /// A folder with a video of such a name.
    private func folder() throws -> TemporaryDirectory {
        let folder = try SnapProcess.folder()
        #expect(try SnapProcess.shell("mv video.mp4 $'f\\xff\\xfe.mp4'", in: folder).exitCode == 0)
        return folder
    }

    /// What is in the folder, without dot files and the video.
    private func pictures(in folder: TemporaryDirectory) throws -> [[UInt8]] {
        let names = try SnapProcess.shell("find . -type f -printf '%P\\0'", in: folder).standardOutput
        return names.split(separator: 0).map(Array.init).filter { $0 != stem + Array(".mp4".utf8) }
    }

    private func object(_ line: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func theImpliedNameHasTheSameBytesAndIsPrintedSo() throws {
        let folder = try folder()
        let result = try SnapProcess.shell("snap $'f\\xff\\xfe.mp4' --at 1", in: folder)
        let name = stem + Array("-00-00-01.000.jpg".utf8)
        #expect(result.exitCode == 0)
        #expect(result.messages == "")
        #expect(result.standardOutput == name + [0x0a])
        #expect(try pictures(in: folder) == [name])
    }

    @Test func fieldsAndTypedBytesGoIntoTheName() throws {
        let folder = try folder()
        let result = try SnapProcess.shell(
            "snap $'./f\\xff\\xfe.mp4' --at 1 -o $'\\xc3{stem}/{name}\\x80.png' | xargs -d '\\n' stat -c %s", in: folder
        )
        #expect(result.exitCode == 0)
        #expect(result.messages == "")
        #expect(Int(result.output.dropLast()) ?? 0 > 100)
        #expect(
            try pictures(in: folder) == [
                [0xC3] + stem + [0x2F] + stem + Array(".mp4".utf8) + [0x80] + Array(".png".utf8)
            ])
    }

    @Test func aLongNameIsWrittenThroughAShorterOne() throws {
        let folder = try folder()
        let result = try SnapProcess.shell(
            "snap $'f\\xff\\xfe.mp4' --at 1 -o \"$(printf '\\xff%.0s' {1..251}).jpg\"", in: folder)
        #expect(result.exitCode == 0)
        #expect(result.messages == "")
        #expect(try pictures(in: folder) == [[UInt8](repeating: 0xFF, count: 251) + Array(".jpg".utf8)])
    }

    @Test func namesThatLookAlikeWhereBytesAreRepairedAreTwoFiles() throws {
        let folder = try folder()
        let result = try SnapProcess.shell(
            "cp $'f\\xff\\xfe.mp4' $'f\\xfe\\xff.mp4'; snap *.mp4 --at 1 -o {stem}.jpg", in: folder)
        #expect(result.exitCode == 0)
        #expect(try pictures(in: folder).count == 3)
    }

    @Test func theVideoIsNotWrittenOver() throws {
        let folder = try folder()
        let result = try SnapProcess.shell(
            "snap $'f\\xff\\xfe.mp4' --at 1 --format jpg -o $'.//f\\xff\\xfe.mp4'", in: folder)
        #expect(result.exitCode == 64)
        #expect(result.messages.contains(#"would be written over the video f\xff\xfe.mp4"#))
    }

    @Test func aReceiptHasTheBytesBesideTheText() throws {
        let folder = try folder()
        let result = try SnapProcess.shell("snap $'f\\xff\\xfe.mp4' --at 1 --json -o '{stem}.jpg'", in: folder)
        #expect(
            result.output.hasPrefix(
                #"{"source":"f\#u{FFFD}\#u{FFFD}.mp4","sourceBytes":"Zv/+Lm1wNA==","output":"f\#u{FFFD}\#u{FFFD}.jpg","#
                    + #""outputBytes":"Zv/+LmpwZw==","status":"ok""#))
        #expect(
            try object(result.output)["sourceBytes"] as? String == Data(stem + Array(".mp4".utf8)).base64EncodedString()
        )

        let plain = try SnapProcess.shell("mv f*.mp4 é.mp4; snap é.mp4 --at 1 --json -o t.jpg", in: folder)
        #expect(plain.output.hasPrefix(#"{"source":"é.mp4","output":"t.jpg","status":"ok""#))
    }

    @Test func aMissingFileIsNamedByteForByte() throws {
        let folder = try TemporaryDirectory()
        for command in ["snap", "snap probe"] {
            let result = try SnapProcess.shell("\(command) --json $'n\\xffpe\\x1b.mp4'", in: folder)
            #expect(result.exitCode == 66)
            #expect(result.messages == #"snap: n\xffpe\x1b.mp4: no such file"# + "\n")
            #expect(try object(result.output)["sourceBytes"] as? String == "bv9wZRsubXA0")
        }
    }

    @Test func probeTellsItForPeopleAndPrograms() throws {
        let folder = try folder()
        #expect(try SnapProcess.shell("snap probe f*", in: folder).lines.first == #"f\xff\xfe.mp4"#)
        let result = try SnapProcess.shell("snap probe --json f*", in: folder)
        #expect(try object(result.output)["sourceBytes"] as? String == "Zv/+Lm1wNA==")
    }

    @Test func aPlaylistInSuchAFolderFindsItsSegments() throws {
        let folder = try TemporaryDirectory()
        let entry = try #require(StreamCase.matrix.first { $0.description == "ts plain muxed plain" })
        let list = try entry.make().write(to: folder.path)
        #expect(list.hasSuffix("/list.m3u8"))
        // A reference is UTF-8 in the playlist, and says other bytes by escapes.
        let prepare = """
            mkdir $'\\xffdir' && mv *.* $'\\xffdir' && cd $'\\xffdir' && mv seg0.ts $'s\\xe9g.ts' && \
            sed -i 's/^seg0.ts/s%E9g.ts/' list.m3u8 && cd ..
            """
        let result = try SnapProcess.shell(
            "\(prepare) && TMPDIR=$PWD/$'\\xffdir' snap $'\\xffdir/list.m3u8' --at start --at 3 -o '{index}.jpg'",
            in: folder)
        #expect(result.exitCode == 0)
        #expect(result.messages == "")
        #expect(result.lines == ["1.jpg", "2.jpg"])
    }

    @Test func temporaryFilesLieInAnyFolder() throws {
        let folder = try folder()
        let result = try SnapProcess.shell(
            "mkdir $'\\xff' && cat f*.mp4 | TMPDIR=$'\\xff' snap - --at 1 -o t.jpg", in: folder)
        #expect(result.exitCode == 0)
        #expect(result.messages == "")
    }
}

/// Names with bytes that are no UTF-8.
private enum StrayBytes {
    /// Linux takes any bytes, macOS doesn't.
    static let areAllowed: Bool = {
        guard let folder = try? TemporaryDirectory() else { return false }
        return (try? SnapProcess.shell("touch $'\\xff'", in: folder).exitCode) == 0
    }()
}
