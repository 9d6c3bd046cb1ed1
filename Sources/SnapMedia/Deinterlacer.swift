import CFFmpeg
import SnapBase

/// Makes a still without combs from one interlaced frame: of the instant of one field, which is as a rule the first,
/// for the frame's time is that field's.
struct Deinterlacer {
    /// What the picture shall show.
    enum Aim {
        /// The instant of the first field: whole frames where both fields are of it.
        case first
        case field(Field)
    }

    struct Still: ~Copyable {
        /// `nil` where the frame is to be shown as it is.
        let planes: PlanarFrame?
        let fields: ShownFields
    }

    let aim: Aim
    /// The field that was taken first.
    let first: Field

    init(aim: Aim, first: Field) { (self.aim, self.first) = (aim, first) }

    /// - Returns: `nil` where the frame is to be left as it is.
    init?(_ wish: Deinterlacing, for frame: borrowing VideoFrame) {
        guard wish.concerns(frame) else { return nil }
        // Without the flag of interlacing, that of the order means nothing; the top field is first as a rule.
        first = frame.isInterlaced && !frame.isTopFieldFirst ? .bottom : .top
        aim =
            switch wish {
            case .automatic, .always, .never: .first
            case .top: .field(.top)
            case .bottom: .field(.bottom)
            }
    }

    private var kept: Field {
        switch aim {
        case .first: first
        case .field(let field): field
        }
    }

    /// - Parameters:
    ///   - frame: Any planes in the machine's byte order.
    ///   - before: The frame shown before it; one of another size, layout or scene does not count.
    ///   - after: The same, behind it.
    /// - Returns: `nil` where the layout is not supported or there are too few rows.
    func still(
        from frame: borrowing PlanarFrame, before: borrowing PlanarFrame?, after: borrowing PlanarFrame?
    ) throws(PictureError) -> Still? {
        guard !frame.layout.isForeignEndian, frame.height >= 4 else { return nil }
        return frame.layout.bytesPerSample == 1
            ? try still(of: UInt8.self, from: frame, before: before, after: after)
            : try still(of: UInt16.self, from: frame, before: before, after: after)
    }

    private func still<Sample: FixedWidthInteger & UnsignedInteger>(
        of type: Sample.Type, from frame: borrowing PlanarFrame, before: borrowing PlanarFrame?,
        after: borrowing PlanarFrame?
    ) throws(PictureError) -> Still {
        var planes: [FieldPlane<Sample>] = []
        for component in Self.components(of: frame.layout) {
            planes.append(
                FieldPlane(
                    here: try frame.plane(of: component), before: try before.plane(of: component, like: frame),
                    after: try after.plane(of: component, like: frame), peak: frame.layout.peak))
        }
        guard let luma = planes.first else { throw .empty }
        let hasBefore = luma.before.map { FieldMatcher.isSameScene(luma, $0) } ?? false
        let hasAfter = luma.after.map { FieldMatcher.isSameScene(luma, $0) } ?? false
        planes = planes.map { plane in
            FieldPlane(
                here: plane.here, before: hasBefore ? plane.before : nil, after: hasAfter ? plane.after : nil,
                peak: plane.peak)
        }
        if case .first = aim {
            switch FieldMatcher.match(of: first, in: planes[0]) {
            case .here: return Still(planes: nil, fields: .whole)
            case .before: return Still(planes: try woven(frame, planes) { $0.before }, fields: .matched)
            case .after: return Still(planes: try woven(frame, planes) { $0.after }, fields: .matched)
            case nil: break
            }
        }
        return Still(planes: try interpolated(frame, planes), fields: kept.shown)
    }

    /// One of each plane.
    private static func components(of layout: PlanarFrame.Layout) -> [Int] {
        var seen: Set<Int> = []
        return (0..<(layout.hasAlpha ? 4 : 3)).filter { seen.insert(layout.planes[$0]).inserted }
    }

    /// The field that stays, with the other one of a neighbour.
    private func woven<Sample>(
        _ frame: borrowing PlanarFrame, _ planes: [FieldPlane<Sample>],
        with other: (FieldPlane<Sample>) -> PlanarFrame.Plane?
    ) throws(PictureError) -> PlanarFrame {
        let result = try PlanarFrame.blank(like: frame)
        for (component, plane) in zip(Self.components(of: frame.layout), planes) {
            let target = try result.plane(of: component)
            for y in 0..<plane.rows {
                let source = kept.holds(row: y) ? plane.here : other(plane) ?? plane.here
                unsafe target.row(y, of: Sample.self).update(from: plane.row(y, of: source), count: plane.samples)
            }
        }
        return result
    }

    private func interpolated<Sample>(
        _ frame: borrowing PlanarFrame, _ planes: [FieldPlane<Sample>]
    ) throws(PictureError) -> PlanarFrame {
        let result = try PlanarFrame.blank(like: frame)
        for (component, plane) in zip(Self.components(of: frame.layout), planes) {
            let target = try result.plane(of: component)
            if plane.before == nil && plane.after == nil {
                let step = frame.layout.isSemiPlanar && component == 1 ? 2 : 1
                CombFiller(planes: plane, kept: kept, step: step).process(into: target)
            } else {
                FieldFilter(planes: plane, kept: kept, isFirst: kept == first).process(into: target)
            }
        }
        return result
    }
}

extension Deinterlacing {
    /// Whether anything is to be done about a frame's fields.
    func concerns(_ frame: borrowing VideoFrame) -> Bool {
        switch self {
        case .automatic: frame.isInterlaced
        case .always, .top, .bottom: true
        case .never: false
        }
    }
}

extension PlanarFrame {
    /// Room for a frame of the same size and layout.
    fileprivate static func blank(like frame: borrowing PlanarFrame) throws(PictureError) -> PlanarFrame {
        let (width, height, layout, code) = unsafe (
            frame.width, frame.height, frame.layout, AVPixelFormat(frame.frame.pointee.format)
        )
        return try converting { () throws(FFmpegError) in
            try PlanarFrame(width: width, height: height, code: code, layout: layout)
        }
    }
}

extension Optional where Wrapped == PlanarFrame {
    /// A plane of a frame that may not be there, or not be comparable.
    fileprivate func plane(
        of component: Int, like frame: borrowing PlanarFrame
    ) throws(PictureError) -> PlanarFrame.Plane? {
        switch self {
        case .some(let neighbour):
            guard neighbour.layout == frame.layout, neighbour.width == frame.width, neighbour.height == frame.height
            else { return nil }
            return try neighbour.plane(of: component)
        case .none: return nil
        }
    }
}
