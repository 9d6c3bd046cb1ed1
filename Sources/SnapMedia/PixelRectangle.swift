/// A rectangle of whole pixels.
package struct PixelRectangle: Sendable, Hashable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package init(width: Int, height: Int) { self.init(x: 0, y: 0, width: width, height: height) }

    /// The part of this rectangle within a picture; `nil` where there is none.
    func clipped(toWidth limitX: Int, height limitY: Int) -> PixelRectangle? {
        func clip(_ start: Int, _ length: Int, _ limit: Int) -> Range<Int>? {
            let (end, overflow) = start.addingReportingOverflow(length)
            let lower = max(start, 0)
            let upper = min(overflow ? limit : end, limit)
            return length > 0 && lower < upper ? lower..<upper : nil
        }
        guard let columns = clip(x, width, limitX), let rows = clip(y, height, limitY) else { return nil }
        return PixelRectangle(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }
}
