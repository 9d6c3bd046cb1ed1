import FoundationEssentials
import Snap

/// What a worker answers about one picture: a line, and bytes behind it.
struct Reply: Sendable {
    let id: RequestID?
    /// The number of the picture in its request; `nil` for the request as a whole.
    let picture: Int?
    /// Whether no other reply to the request will follow.
    let isLast: Bool
    let receipt: Receipt
    /// The picture, where it is delivered with the reply.
    let content: Content

    enum Content: Sendable {
        case none
        case base64([UInt8])
        case bytes([UInt8])
    }

    init(id: RequestID?, picture: Int?, isLast: Bool, receipt: Receipt, content: Content = .none) {
        self.id = id
        self.picture = picture
        self.isLast = isLast
        self.receipt = receipt
        self.content = content
    }

    /// The only reply to a request that fails as a whole.
    init(failing id: RequestID?, _ error: SnapError, source: String? = nil, position: String? = nil) {
        let receipt = Receipt(failure: error, source: source ?? "", position: position ?? "")
        self.init(id: id, picture: nil, isLast: true, receipt: receipt)
    }

    /// The code of the receipt of a video that is what the client knows.
    static let unchanged = "unchanged"

    /// The only reply to a request whose video is what the client knows.
    init(unchanged request: WorkRequest) {
        var receipt = Receipt(source: request.source.name, position: "")
        receipt.status = .skipped
        receipt.isMeasured = false
        receipt.code = Self.unchanged
        receipt.message = "the server has what it had"
        self.init(id: request.id, picture: nil, isLast: true, receipt: receipt)
    }

    /// The keys that come before those of the receipt, in the form in which a supervisor finds them.
    static func head(_ id: RequestID?, _ picture: Int?, _ isLast: Bool, _ payload: Int) -> String {
        let id = (id?.json ?? .null).text
        return "{\"id\":\(id),\"picture\":\(JSONValue(picture).text),\"last\":\(isLast),\"payload\":\(payload),"
    }

    /// The line with its end, and the payload.
    var bytes: [UInt8] {
        var payload: [UInt8] = []
        var data = ""
        switch content {
        case .none: break
        case .base64(let picture): data = "\"data\":\"\(Data(picture).base64EncodedString())\","
        case .bytes(let picture): payload = picture
        }
        let head = Self.head(id, picture, isLast, payload.count)
        var bytes = Array((head + data + receipt.json.dropFirst() + "\n").utf8)
        if !payload.isEmpty { bytes += payload + [0x0a] }
        return bytes
    }
}
