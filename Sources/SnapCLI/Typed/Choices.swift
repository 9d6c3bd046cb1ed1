// The conformances are those of public types, so that their protocol must be visible too.
public import ArgumentParser
public import Snap

extension DamagePolicy: ExpressibleByArgument {}
extension PictureFit: ExpressibleByArgument {}
extension Deinterlacing: ExpressibleByArgument {}
extension HighDynamicRange: ExpressibleByArgument {}
extension ChromaSubsampling: ExpressibleByArgument {}
extension StreamTimeline: ExpressibleByArgument {}
