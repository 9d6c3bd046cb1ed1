import Snap

extension PictureOrder {
    /// The paths of a video's pictures as far as they are known before it is opened: where a field is not, what was
    /// asked for stands in its place. The first picture of a series stands for all.
    func expectedNames(of source: Source) -> [String] {
        let input = InputName(source)
        return products.enumerated().flatMap { place, product -> [String] in
            guard case .files(let template) = product.destination else { return [] }
            func name(_ position: Position, _ index: Int, asked: String) -> String? {
                let job = PictureJob(position, index: index, product: place, input: input, format: product.format)
                return template.path(job.fields, unknown: asked)
            }
            switch product.wanted {
            case .positions(let positions):
                return positions.enumerated().compactMap { name($1, $0, asked: $1.description) }
            case .series(let series): return [name(series.from, 0, asked: series.spacing.label)].compactMap(\.self)
            }
        }
    }
}

extension BatchItem {
    /// What its pictures are expected to be called; nothing for a request that can't be done.
    ///
    /// - Parameter defaults: The options of the batch.
    func expectedNames(_ defaults: TypedOptions) -> Set<Fingerprint> {
        guard case .request(let request) = WorkLine(line(), defaults: defaults, supervised: true) else { return [] }
        return Set(request.order.expectedNames(of: request.source).map(ClaimedOutputs.key))
    }
}
