/// How many bits a label's code has.
protocol LabelPlanes {
  /// Whether there is a third bit.
  static var hasThird: Bool { get }
}

/// Labels 0 to 2.
enum TwoPlanes: LabelPlanes {
  static var hasThird: Bool { false }
}

/// Labels 0 to 5.
enum ThreePlanes: LabelPlanes {
  static var hasThird: Bool { true }
}
