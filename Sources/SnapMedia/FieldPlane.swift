/// One plane of an interlaced frame, with the same plane of its neighbours.
@safe struct FieldPlane<Sample: FixedWidthInteger & UnsignedInteger> {
    let here: PlanarFrame.Plane
    let before: PlanarFrame.Plane?
    let after: PlanarFrame.Plane?
    /// The largest sample.
    let peak: Int

    var rows: Int { here.rows }
    var samples: Int { here.samples }

    /// A row of a plane, mirrored at its edges, so that it stays in its field.
    func row(_ place: Int, of plane: PlanarFrame.Plane) -> UnsafePointer<Sample> {
        let inside = place < 0 ? -place : place >= plane.rows ? 2 * (plane.rows - 1) - place : place
        return unsafe UnsafePointer(plane.row(min(max(inside, 0), plane.rows - 1), of: Sample.self))
    }

    func row(_ place: Int) -> UnsafePointer<Sample> { unsafe row(place, of: here) }

    /// What two samples may differ by and still be the same: 10 of 255.
    var threshold: Int { max(1, 10 * peak / 255) }
}
