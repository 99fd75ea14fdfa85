/// What the correlation of a frame's value with that of the frame before it is made of.
struct LagOneSums: Hashable {
  private var products = 0.0
  private var squares = 0.0

  /// Nothing.
  init() {}

  /// Sums over one hold, about its mean.
  init(_ scan: HoldScan) {
    for values in scan.valid where !values.isEmpty {
      let mean = values.reduce(0, +) / Double(values.count)
      for (index, value) in values.enumerated() {
        let distance = value - mean
        squares += distance * distance
        if scan.isStep[index] { products += distance * (values[index - 1] - mean) }
      }
    }
  }

  /// The sum over steps of the products of neighbors over the sum of squares: about 0 for white
  /// noise, near 1 for what moves slowly.
  var correlation: MetricValue { .ratio(products, squares, orElse: .constant) }

  static func += (left: inout LagOneSums, right: LagOneSums) {
    left.products += right.products
    left.squares += right.squares
  }
}
