import Snap

/// A picture as far as it is known before the video is opened, or the series that it begins.
struct ExpectedPicture: Sendable {
    /// Among all pictures of the video, from 0; `nil` for a series, and for what comes behind one.
    let number: Int?
    /// As it was asked for.
    let position: String
    let time: MediaTime?
    /// The path of its file, where what was asked for stands in place of fields that are not known.
    let name: String?
}

extension PictureOrder {
    func expectedPictures(of source: Source) -> [ExpectedPicture] {
        let input = InputName(source)
        var number: Int? = 0
        return products.enumerated().flatMap { place, product -> [ExpectedPicture] in
            func picture(_ position: Position, _ index: Int, asked: String) -> ExpectedPicture {
                defer { number = number.map { $0 + 1 } }
                let job = PictureJob(position, index: index, product: place, input: input, format: product.format)
                var name: String?
                if case .files(let template) = product.destination {
                    name = template.path(job.fields, unknown: asked)
                }
                return ExpectedPicture(
                    number: number, position: asked, time: number == nil ? nil : job.fields.time, name: name)
            }
            switch product.wanted {
            case .positions(let positions):
                return positions.enumerated().map { picture($1, $0, asked: $1.description) }
            case .series(let series):
                number = nil
                return [picture(series.from, 0, asked: series.spacing.label)]
            }
        }
    }
}

extension BatchItem {
    /// Nothing for a request that can't be done.
    ///
    /// - Parameter defaults: The options of the batch.
    func expectedPictures(_ defaults: TypedOptions) -> [ExpectedPicture] {
        guard case .request(let request) = WorkLine(line(), defaults: defaults, supervised: true) else { return [] }
        return request.order.expectedPictures(of: request.source)
    }
}
