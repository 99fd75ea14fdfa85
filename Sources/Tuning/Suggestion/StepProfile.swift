internal import PoseModel

/// What an edit is worth at every threshold: constant between two neighboring values that occur.
struct StepProfile: Sendable {
  enum Side: Hashable, Sendable {
    case below
    case above
  }

  struct Choice: Hashable, Sendable {
    let threshold: Double
    let peak: (lower: Float, upper: Float)
    let worth: Int64
    let range: (lower: Float, upper: Float)

    static func == (left: Choice, right: Choice) -> Bool {
      left.threshold == right.threshold && left.worth == right.worth
        && left.peak == right.peak && left.range == right.range
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(threshold)
      hasher.combine(worth)
    }
  }

  private(set) var values: [Float] = []
  private(set) var worths: [Int64] = []

  /// `changes` ascend by value: what a frame adds if it is on the side; `base` is what the edit is
  /// worth if no frame is.
  init(_ changes: [(value: Float, worth: Int64)], base: Int64, side: Side) {
    let total = changes.reduce(0) { $0 + $1.worth }
    var sum: Int64 = 0
    for (index, change) in changes.enumerated() {
      if values.last != change.value {
        if index > 0 { worths.append(base + (side == .below ? sum : total - sum)) }
        values.append(change.value)
      }
      sum += change.worth
    }
  }

  /// Whether a threshold fits strictly between two neighboring values and in a range.
  static func middle(_ lower: Float, _ upper: Float) -> Float? {
    let middle = lower + (upper - lower) / 2
    return lower < middle && middle < upper ? middle : nil
  }

  /// In the middle of all thresholds that have 90 % of the best worth; nil if none is worth
  /// anything.
  ///
  /// Of equal peaks, the one with the widest step.
  func choice(in allowed: ClosedRange<Double>) -> Choice? {
    var best: Int?
    for cut in worths.indices where isAllowed(cut, allowed) {
      guard let found = best else {
        best = cut
        continue
      }
      if worths[cut] > worths[found]
        || (worths[cut] == worths[found] && width(cut) > width(found))
      {
        best = cut
      }
    }
    guard let best, worths[best] > 0 else { return nil }
    let (first, last) = plateau(around: best)
    let lower = max(Double(values[first]), allowed.lowerBound)
    let upper = min(Double(values[last + 1]), allowed.upperBound)
    let fallback = Self.middle(values[best], values[best + 1]).map(Double.init)
    return Choice(
      threshold: RoundNumber.inMiddle(of: lower, upper) ?? fallback ?? (lower + upper) / 2,
      peak: (lower: values[best], upper: values[best + 1]), worth: worths[best],
      range: (lower: Float(lower), upper: Float(upper)))
  }

  private func plateau(around peak: Int) -> (first: Int, last: Int) {
    let floor = worths[peak] - worths[peak] / 10
    var (first, last) = (peak, peak)
    while first > 0, worths[first - 1] >= floor { first -= 1 }
    while last + 1 < worths.count, worths[last + 1] >= floor { last += 1 }
    return (first: first, last: last)
  }

  private func width(_ cut: Int) -> Float { values[cut + 1] - values[cut] }

  private func isAllowed(_ cut: Int, _ allowed: ClosedRange<Double>) -> Bool {
    guard let middle = Self.middle(values[cut], values[cut + 1]) else { return false }
    return allowed.contains(Double(middle))
  }
}

enum RoundNumber {
  /// Nil if the range is too narrow.
  ///
  /// Rounder are multiples of larger steps 1000, 500, 100, 50, ..., 5e-7; of equally round numbers
  /// the one nearest to the middle.
  static func inMiddle(of lower: Double, _ upper: Double) -> Double? {
    let (middle, quarter) = (lower + (upper - lower) / 2, (upper - lower) / 4)
    for exponent in stride(from: 3, through: -7, by: -1) {
      for factor in [1.0, 0.5] {
        let number = multiple(of: exponent, factor, near: middle)
        let (low, high) = (Float(lower), Float(upper))
        if (number - middle).magnitude <= quarter, low < Float(number), Float(number) < high {
          return number
        }
      }
    }
    return nil
  }

  private static func multiple(of exponent: Int, _ factor: Double, near number: Double) -> Double {
    let power = (0..<exponent.magnitude).reduce(1.0) { product, _ in product * 10 }
    if exponent >= 0 {
      let step = power * factor
      return (number / step).rounded() * step + 0
    }
    let count = (number * power / factor).rounded()
    return count * factor / power + 0
  }
}
