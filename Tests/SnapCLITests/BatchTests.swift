import Testing

/// Many videos at once. One test after the other: each has all cores, and some measure.
@Suite(.serialized) enum BatchTests {}
