/// The straight line of least squares through evenly spaced values.
package enum LineFit {
  /// The values minus their line; unchanged in number, all 0 for fewer than three.
  ///
  /// Slope = sum (n - mean n)(x_n - mean x) / sum (n - mean n)^2.
  ///
  /// - Complexity: O(values).
  package static func residuals(of values: [Double]) -> [Double] {
    guard values.count > 2 else { return values.map { _ in 0 } }
    let count = Double(values.count)
    let middle = (count - 1) / 2
    let mean = values.reduce(0, +) / count
    var product = 0.0
    for (n, value) in values.enumerated() { product += (Double(n) - middle) * (value - mean) }
    let slope = product / (count * (count * count - 1) / 12)
    return values.enumerated().map { n, value in value - mean - slope * (Double(n) - middle) }
  }
}
