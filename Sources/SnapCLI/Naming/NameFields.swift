import Snap

/// What is known of a picture when its file is named; time and size may only be known once it is there.
struct NameFields: Sendable {
    let input: InputName
    /// Counted from 1.
    let index: Int
    let fileExtension: String
    /// The time asked for; where none was, that of the frame.
    var time: MediaTime?
    /// In pixels.
    var size: (width: Int, height: Int)?
}

extension NameTemplate {
    /// The path of a picture.
    ///
    /// - Parameter unknown: What stands for fields that are not known yet.
    /// - Returns: `nil` where nothing stands for one.
    func path(_ fields: NameFields, unknown: String? = nil) -> String? {
        var path = ""
        for part in parts {
            switch part {
            case .text(let text): path += text
            // Below a folder that is written before it, it does not lead out of there.
            case .field(.dir, _) where !path.isEmpty: path += fields.input.folderWithin
            case .field(let field, let digits):
                guard let value = fields.text(of: field) ?? unknown else { return nil }
                path += String(repeating: "0", count: max(0, digits - value.count)) + value
            }
        }
        return path
    }
}

extension NameFields {
    fileprivate func text(of field: NameTemplate.Field) -> String? {
        switch field {
        case .stem: input.stem
        case .name: input.name
        case .dir: input.folder
        case .index: String(index)
        case .time: time?.fileNameText
        case .ms: (time?.milliseconds).map(String.init)
        case .width: (size?.width).map(String.init)
        case .height: (size?.height).map(String.init)
        case .ext: fileExtension
        }
    }
}
