import Snap

extension SnapshotOptions {
    /// - Throws: ``SnapError`` with code `usage`.
    init(_ typed: TypedOptions, keepsAlpha: Bool) throws(SnapError) {
        self.init()
        switch (typed.frame.tolerance, typed.frame.keyframe) {
        case (.some, true): throw SnapError(.usage, "--tolerance and --keyframe exclude each other")
        case (let text?, false): tolerance = try Tolerance(text)
        case (nil, true): tolerance = .any
        case (nil, false): break
        }
        isStrict = typed.frame.strict
        onDamage = typed.frame.onDamage
        if let text = typed.picture.size { size = try PictureSize(text) }
        fit = typed.picture.fit
        upscales = typed.picture.upscale
        rotates = !typed.picture.noRotate
        keepsSampleAspectRatio = typed.picture.keepSar
        deinterlacing = typed.picture.deinterlace
        highDynamicRange = typed.picture.hdr
        background = try RGBColour(typed.picture.background)
        self.keepsAlpha = keepsAlpha
        writesMetadata = typed.picture.metadata
    }
}

extension PictureOptions {
    /// The format that was asked for by name.
    ///
    /// - Throws: ``SnapError`` with code `usage`.
    func imageFormat() throws(SnapError) -> ImageFormat? {
        switch format?.lowercased() {
        case nil: nil
        case "jpg", "jpeg": .jpeg(try ImageFormat.JPEGOptions(self))
        case "png": .png
        case let other?: throw SnapError(.usage, "'\(other)' is not a format: there are jpg and png")
        }
    }
}

extension ImageFormat.JPEGOptions {
    /// - Throws: ``SnapError`` with code `usage`.
    init(_ typed: PictureOptions) throws(SnapError) {
        guard 1...100 ~= typed.quality else {
            throw SnapError(.usage, "--quality is \(typed.quality); it goes from 1 to 100")
        }
        self.init()
        quality = typed.quality
        subsampling = typed.subsampling
        isProgressive = typed.progressive
        optimizesHuffman = typed.optimize
    }
}
