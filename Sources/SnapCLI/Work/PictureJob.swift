import Snap

/// One picture that is to be taken of a video.
struct PictureJob: Sendable {
    let position: Position
    /// Which of the order's products it is.
    let product: Int
    /// What is known for its name so far.
    var fields: NameFields
    /// The path, once it is known and its own; `nil` before, and for standard output.
    var path: String?
    /// What a user should know of the pictures of its series; `nil` for nothing.
    var note: String?

    /// - Parameter index: Its place among the pictures of the product, counted from 0.
    init(_ position: Position, index: Int, product: Int, input: InputName, format: ImageFormat) {
        self.position = position
        self.product = product
        fields = NameFields(input: input, index: index + 1, fileExtension: format.fileExtension)
        switch position {
        case .time(let time): fields.time = time
        case .start: fields.time = .zero
        case .fraction, .end, .beforeEnd, .frame, .representative, .live, .date: break
        }
    }

    /// What messages call it: the time where it is known, or the position as it was typed.
    var label: String { fields.time?.clockText ?? position.description }
}
