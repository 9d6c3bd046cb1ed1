import Snap

/// A line that a worker reads.
enum WorkLine: Sendable {
    case request(WorkRequest)
    case cancel(RequestID)
    /// The supervisor lends a core.
    case core
    /// One that can't be done; with its id, as far as it has one.
    case mistake(RequestID?, SnapError)
}

/// What a client calls its request.
enum RequestID: Sendable, Hashable {
    case number(Int64)
    case text(String)

    /// - Throws: ``SnapError`` with code `usage`.
    init(_ value: JSONInput) throws(SnapError) {
        switch value {
        case .string(let text): self = .text(text)
        case .number(let text) where Int64(text) != nil: self = .number(Int64(text) ?? 0)
        default: throw SnapError(.usage, "an id is a string or a whole number")
        }
    }

    var json: JSONValue {
        switch self {
        case .number(let number): .integer(number)
        case .text(let text): .string(text)
        }
    }
}

/// Pictures of one video, as a client asks for them.
struct WorkRequest: Sendable {
    /// How a picture reaches the client.
    enum Delivery: String, Sendable, CaseIterable {
        /// As a file, by its path.
        case file
        /// In the reply.
        case base64
        /// Behind the reply.
        case bytes
    }

    let id: RequestID
    let source: Source
    let order: PictureOrder
    /// Of each of the order's products.
    let deliveries: [Delivery]
    /// The version that the client has pictures of, and wants no others of; see ``Snap/ByteSourceStatistics/version``.
    let unless: String?
}

extension WorkLine {
    /// - Parameters:
    ///   - bytes: Without the end of the line.
    ///   - defaults: The options of requests that name none.
    ///   - supervised: Whether pictures go to the supervisor, which writes them.
    init(_ bytes: some Sequence<UInt8>, defaults: TypedOptions, supervised: Bool) {
        var id: RequestID?
        do throws(SnapError) {
            var members = try JSONInput.object(bytes)
            if let cancelled = members.removeValue(forKey: "cancel"), members.isEmpty {
                self = .cancel(try RequestID(cancelled))
                return
            }
            if supervised, members.removeValue(forKey: "core") != nil {
                self = .core
                return
            }
            guard let typed = members.removeValue(forKey: "id") else {
                throw SnapError(.usage, "a request needs an id (see docs/worker.md)")
            }
            id = try RequestID(typed)
            self = .request(try WorkRequest(id: RequestID(typed), members, defaults, supervised: supervised))
        } catch {
            self = .mistake(id, error)
        }
    }
}

extension WorkRequest {
    /// - Throws: ``SnapError`` with code `usage`.
    fileprivate init(
        id: RequestID, _ members: [String: JSONInput], _ defaults: TypedOptions, supervised: Bool
    ) throws(SnapError) {
        var members = members
        guard case .string(let name)? = members.removeValue(forKey: "source"), !name.isEmpty, name != "-" else {
            throw SnapError(.usage, "a request needs a source: a path or a URL")
        }
        if name.utf8.contains(0) { throw SnapError(.usage, "a path or URL can't hold a NUL") }
        let asked = try Self.delivery(members.take("deliver"))
        unless = try Self.version(members.take("unless"))
        let products = try Self.products(members.take("pictures"))
        var common = defaults
        try common.set(members)
        self.id = id
        source = Source(name)
        var video = try VideoOptions(common.reading, common.stream)
        // Requests share the cores, each with one.
        video.threads = video.threads ?? 1
        var order = PictureOrder(
            sources: [source], products: [], video: video, skipsExisting: common.output.skipExisting,
            printsReceipts: true, printsNotes: false)
        var deliveries: [Delivery] = []
        for members in products {
            var options = common
            try options.set(members)
            guard try VideoOptions(options.reading, options.stream).isSameReading(as: video) else {
                throw SnapError(.usage, "options of reading and of streams are the request's, not a picture's")
            }
            let delivery = asked ?? (supervised ? .bytes : options.output.output == nil ? .base64 : .file)
            let isNamed = supervised || delivery == .file
            var product = try Product(options, implied: isNamed ? .files(.implied) : .asker)
            if isNamed, product.destination == .asker {
                throw SnapError(.usage, "a picture that is written needs an 'output' other than -")
            }
            // Where nothing is written, the name says no more than the format.
            if !isNamed { product.destination = .asker }
            order.products.append(product)
            deliveries.append(delivery)
        }
        self.order = order
        self.deliveries = deliveries
    }

    private static func delivery(_ value: JSONInput?) throws(SnapError) -> Delivery? {
        guard let value else { return nil }
        guard case .string(let word) = value, let delivery = Delivery(rawValue: word) else {
            let words = Delivery.allCases.map(\.rawValue).joined(separator: ", ")
            throw SnapError(.usage, "'deliver' must be one of \(words)")
        }
        return delivery
    }

    private static func version(_ value: JSONInput?) throws(SnapError) -> String? {
        switch value {
        case nil: return nil
        case .string(let text): return text
        default: throw SnapError(.usage, "'unless' must be a string: the read.version of a receipt")
        }
    }

    private static func products(_ value: JSONInput?) throws(SnapError) -> [[String: JSONInput]] {
        guard let value else { return [[:]] }
        guard case .array(let values) = value, !values.isEmpty else {
            throw SnapError(.usage, "'pictures' must be a list of objects")
        }
        var products: [[String: JSONInput]] = []
        for value in values {
            guard case .object(let members) = value else {
                throw SnapError(.usage, "'pictures' must be a list of objects")
            }
            products.append(members)
        }
        return products
    }
}

extension VideoOptions {
    fileprivate func isSameReading(as other: VideoOptions) -> Bool {
        var own = self
        own.threads = other.threads
        return own == other
    }
}
