import Snap
import Testing

@testable import SnapCLI

/// What a line of JSON asks a worker for.
@Suite struct RequestTests {
    private func request(_ line: String, _ words: String...) throws -> WorkRequest {
        let line = WorkLine(line.utf8, defaults: try TypedOptions.parse(words), supervised: false)
        switch line {
        case .request(let request): return request
        case .mistake(_, let error): throw error
        default: throw SnapError(.internal, "no request")
        }
    }

    private func wanted(_ line: String, _ words: String...) throws -> Product.Wanted {
        let options = try TypedOptions.parse(words)
        guard case .request(let request) = WorkLine(line.utf8, defaults: options, supervised: false) else {
            throw SnapError(.internal, "no request")
        }
        return request.order.products[0].wanted
    }

    @Test func nullStandsForWhatIsWithoutTheOption() throws {
        var options = try TypedOptions.parse([
            "--at", "1", "--every", "1", "--count", "2", "--distinct", "2", "--from", "1", "--to", "2", "--tolerance",
            "1", "--keyframe", "--strict", "--on-damage", "fail", "--size", "1", "--fit", "pad", "--upscale",
            "--no-rotate", "--keep-sar", "--deinterlace", "on", "--hdr", "clip", "--background", "ffffff", "--format",
            "png", "--quality", "1", "--subsampling", "420", "--progressive", "--no-optimize", "--metadata", "--output",
            "a.jpg", "--skip-existing", "--variant", "min", "--timeline", "media", "--max-age", "1", "--timeout", "1",
            "--max-pixels", "1", "--max-bytes", "1", "--header", "a: b", "--user-agent", "me", "--allow-private",
            "--cacert", "file", "--index", "beside", "--threads", "1",
        ])
        let names = options.differences.map(\.key)
        #expect(names.count == 38)
        try options.set(Dictionary(uniqueKeysWithValues: names.map { ($0, .null) }))
        #expect(options.differences.map(\.key) == [])
        #expect(throws: SnapError.self) { try options.set(["att": .null]) }
    }

    @Test func nullIsNoAnswerToWhichFrames() throws {
        let line = #"{"id":1,"source":"a.mp4","at":null,"tolerance":null}"#
        #expect(try wanted(line, "--count", "3") == .series(Series(.count(3))))
        #expect(try wanted(line, "--at", "3") == .positions([.representative]))
        let request = try request(line, "--keyframe")
        #expect(request.order.products[0].snapshot.tolerance == .any)
    }

    @Test func nullLeavesTheRequestAsItIsWithoutTheKey() throws {
        let request = try request(#"{"id":1,"source":"a.mp4","deliver":null,"pictures":null,"unless":null}"#)
        #expect(request.deliveries == [.base64] && request.order.products.count == 1 && request.unless == nil)
        let job = #"{"source":"a.mp4","deliver":null,"unless":null,"timeout":null}"#
        let item = try BatchItem(index: 0, job: Array(job.utf8))
        #expect(item.timeout == .seconds(30))
        #expect(!item.request.contains("unless"))
    }

    @Test func aNameThatIsNotWrittenSaysTheFormat() throws {
        for way in ["bytes", "base64"] {
            let line = #"{"id":1,"source":"a.mp4","output":"t.png","deliver":"\#(way)"}"#
            let product = try request(line).order.products[0]
            #expect(product.destination == .asker && product.format == .png)
            #expect(try request(line, "--skip-existing").order.products[0].destination == .asker)
        }
    }

    @Test(arguments: [
        ("1.0333333333333334", "1.0333333333333334"), ("5e-05", "0.00005"), ("1.25E-7", "0.000000125"), ("2", "2"),
        ("2.0", "2"), ("0.30000000000000004", "0.30000000000000004"),
    ])
    func numbersAreAsTheyWouldBeTyped(_ number: String, _ text: String) throws {
        let wanted = try wanted(#"{"id":1,"source":"a.mp4","at":[\#(number)]}"#)
        #expect(wanted == .positions([try Position(text)]))
    }
}
