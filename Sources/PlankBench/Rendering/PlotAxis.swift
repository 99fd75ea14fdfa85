/// An axis of a plot with round ends and ticks: steps of 1, 2 or 5 times a power of ten.
struct PlotAxis: Hashable, Sendable {
  let low: Double
  let high: Double
  let ticks: [Double]
  /// How many decimals distinguish neighboring ticks.
  let decimals: Int

  /// No end lies beyond the limits; equal values span a hundredth around them; without values the
  /// axis spans the limits, or 0...1.
  init(_ values: [Double], within limits: ClosedRange<Double>? = nil, most: Int = 5) {
    var low = values.min() ?? limits?.lowerBound ?? 0
    var high = values.max() ?? limits?.upperBound ?? 1
    if !(high > low) {
      let room = max(0.005 * low.magnitude, 0.005)
      (low, high) = (low - room, high + room)
    }
    let step = RoundStep(spanning: high - low, most: most)
    low = (low / step.size + 1e-9).rounded(.down) * step.size
    high = (high / step.size - 1e-9).rounded(.up) * step.size
    self.low = max(low, limits?.lowerBound ?? low)
    self.high = min(high, limits?.upperBound ?? high)
    ticks = step.multiples(from: self.low, to: self.high)
    decimals = step.decimals
  }

  /// The position of a value: 0 at the low end, 1 at the high end; values beyond an end are at that
  /// end.
  func share(_ value: Double) -> Double { min(max((value - low) / (high - low), 0), 1) }

  func text(_ tick: Double) -> String { NumberText.fixed(tick, decimals) }
}

struct RoundStep: Hashable, Sendable {
  let size: Double
  let decimals: Int

  /// The smallest step, from a millionth up, that fits into a length at most so many times.
  init(spanning length: Double, most: Int) {
    var (unit, decimals) = (1e-6, 6)
    while true {
      for step in [unit, 2 * unit, 5 * unit] where !(length / step > Double(most) + 1e-9) {
        size = decimals > 0 ? (step * 1e6).rounded() / 1e6 : step.rounded()
        self.decimals = max(decimals, 0)
        return
      }
      unit *= 10
      decimals -= 1
    }
  }

  func multiples(from low: Double, to high: Double) -> [Double] {
    let first = (low / size - 1e-6).rounded(.up)
    let last = (high / size + 1e-6).rounded(.down)
    guard first <= last else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * size }
  }
}
