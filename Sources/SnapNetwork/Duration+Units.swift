extension Duration {
    var inMilliseconds: Int { Int(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000) }
    /// For people: `8`, `0.25`.
    var inSeconds: String {
        let thousandths = inMilliseconds
        return thousandths % 1000 == 0 ? "\(thousandths / 1000)" : "\(Double(thousandths) / 1000)"
    }
}
