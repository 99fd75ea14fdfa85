internal import PoseModel

/// Complete configurations: a plank cell and a form cell under one detector and smoothing.
///
/// A configuration is a number in mixed radix over the axes of its detector, the last one fastest.
/// Axes that both streams use, such as `hold_seconds`, have one value for both. Nothing is stored
/// per configuration; its numbers are those of its two cells.
package struct ConfigurationGrid: Sendable {
  /// The cells of the plank stream.
  package let plank: StreamGrid
  /// The cells of the form stream.
  package let form: StreamGrid
  private let axes: [[ResolvedAxis]]
  private let radices: [MixedRadix]
  private let starts: [Int]

  /// Pairs the cells of two grids of one definition.
  ///
  /// - Precondition: the grids have the same detectors and smoothings.
  /// - Throws: `TuningError.gridTooLarge` for more configurations than can be counted.
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

  /// How many configurations there are, including degenerate ones.
  package var count: Int { starts[starts.count - 1] }
}

/// Numbers whose digits have a base each; the last digit is the fastest.
struct MixedRadix: Hashable, Sendable {
  /// The base of every digit.
  let bases: [Int]
  /// How many numbers there are; 1 without digits.
  let count: Int

  /// Makes a system; nil if there are more numbers than an `Int` can hold.
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

  /// The digits of a number.
  func digits(of number: Int) -> [Int] {
    var rest = number
    var digits = bases
    for place in bases.indices.reversed() {
      digits[place] = rest % bases[place]
      rest /= bases[place]
    }
    return digits
  }

  /// The number of some digits.
  func number(of digits: [Int]) -> Int {
    zip(digits, bases).reduce(0) { $0 * $1.1 + $1.0 }
  }
}
