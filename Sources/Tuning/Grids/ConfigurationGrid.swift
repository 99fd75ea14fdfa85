internal import PoseModel

/// A configuration is a number in mixed radix over the axes, the last one fastest; axes that both
/// streams use, such as `hold_seconds`, have one value for both.
package struct ConfigurationGrid: Sendable {
  package let plank: StreamGrid
  package let form: StreamGrid
  private let axes: [[ResolvedAxis]]
  private let radices: [MixedRadix]
  private let starts: [Int]

  package init(plank: StreamGrid, form: StreamGrid) throws {
    precondition(
      plank.variants.map(\.detectorName) == form.variants.map(\.detectorName)
        && plank.variants.map(\.smoothing) == form.variants.map(\.smoothing),
      "two streams of one definition")
    self.plank = plank
    self.form = form
    var axes: [[ResolvedAxis]] = []
    var radices: [MixedRadix] = []
    var starts = [0]
    for (first, second) in zip(plank.variants, form.variants) {
      let own =
        first.axes
        + second.axes.filter { axis in
          !first.axes.contains { $0.key == axis.key }
        }
      guard let radix = MixedRadix(own.map(\.values.count)) else { throw TuningError.gridTooLarge }
      let (end, isTooLarge) = starts[starts.count - 1].addingReportingOverflow(radix.count)
      guard !isTooLarge else { throw TuningError.gridTooLarge }
      axes.append(own)
      radices.append(radix)
      starts.append(end)
    }
    self.axes = axes
    self.radices = radices
    self.starts = starts
  }

  package var count: Int { starts[starts.count - 1] }
}

struct MixedRadix: Hashable, Sendable {
  let bases: [Int]
  let count: Int

  init?(_ bases: [Int]) {
    var count = 1
    for base in bases {
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: base)
      guard !isTooLarge else { return nil }
      count = product
    }
    self.bases = bases
    self.count = count
  }

  func digits(of number: Int) -> [Int] {
    var rest = number
    var digits = bases
    for place in bases.indices.reversed() {
      digits[place] = rest % bases[place]
      rest /= bases[place]
    }
    return digits
  }

  func number(of digits: [Int]) -> Int {
    zip(digits, bases).reduce(0) { $0 * $1.1 + $1.0 }
  }
}
