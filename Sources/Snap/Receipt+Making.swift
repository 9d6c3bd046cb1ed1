import SnapBase
import SnapMedia

extension Receipt {
    package init(source: String, position: String) {
        self.source = source
        self.position = position
    }

    mutating func degrade(_ code: String, _ message: String) {
        status = .degraded
        self.code = code
        self.message = message
    }

    mutating func describe(_ degradation: FoundFrame.Degradation?) {
        switch degradation {
        case .replacedDamaged:
            degrade("replaced-damaged", "the frame at this time lost data; this is the nearest whole one")
        case .damaged: degrade("damaged", "the frame lost data and was kept all the same")
        case .miscounted:
            degrade("miscounted", "frames before this one were lost, so that its number is not sure")
        case .truncated:
            degrade("truncated", "the file ends before this time though it lists frames there; this is the last one")
        case nil: break
        }
    }

    /// The receipt of a picture that could not be had.
    package init(failure: SnapError, source: String, position: String, requested: MediaTime? = nil) {
        self.init(source: source, position: position)
        status = .failed
        isMeasured = false
        code = failure.code.rawValue
        message = failure.sentence(about: source)
        self.requested = requested
    }

    /// The receipt of a picture that was not taken, because its file is there already.
    package init(skipping output: String, source: String, position: String, requested: MediaTime? = nil) {
        self.init(source: source, position: position)
        status = .skipped
        isMeasured = false
        code = "skipped"
        message = "the file is there already"
        self.output = output
        self.requested = requested
    }
}

extension PictureFacts {
    init(_ report: PictureReport) {
        self.init(
            width: report.width, height: report.height, format: nil, byteCount: nil,
            rotation: report.isRotated ? report.orientation.clockwiseDegrees : 0,
            isMirrored: report.isRotated && report.orientation.isMirrored,
            sampleAspectRatio: "\(report.sampleAspectRatio.numerator):\(report.sampleAspectRatio.denominator)",
            fields: report.fields, matrix: Colour(report.colour.matrix),
            range: Colour(report.colour.range),
            primaries: Colour(report.colour.primaries), transfer: Colour(report.colour.transfer),
            dolbyVisionProfile: report.dolbyVisionProfile, highDynamicRange: report.highDynamicRange,
            peak: report.peak, notes: report.notes)
    }
}

extension PictureFacts.Colour {
    init(_ part: ColourDescription.Part) { self.init(name: part.name, isTagged: part.isTagged) }
}

extension PictureOptions {
    init(_ wishes: SnapshotOptions) {
        self.init()
        size = wishes.size
        fit = wishes.fit
        upscales = wishes.upscales
        rotates = wishes.rotates
        keepsSampleAspectRatio = wishes.keepsSampleAspectRatio
        deinterlacing = wishes.deinterlacing
        highDynamicRange = wishes.highDynamicRange
        background = wishes.background
        wantsAlpha = wishes.keepsAlpha
    }
}
