internal import PlankDetection

package enum RoundValues {
  /// Multiples of 1 or 5 times a power of ten: at least `least` of them in the observed range, and
  /// one more on either side.
  ///
  /// Multiples of 2 would leave out 0.25.
  static func values(
    of definition: ParameterDefinition, own: Double, observed: ObservedRange?, least: Int = 60,
    mostFrames: Int = 30
  ) -> [Double] {
    let found: [Double]
    switch (definition.unit, observed) {
    case (.frames, _): found = (1...max(1, mostFrames)).map(Double.init)
    case (_, nil) where definition.key == .holdSeconds:
      found = DecimalSteps.values(from: 0, step: 0.1, 0...20)
    case (_, nil): found = []
    case (_, let observed?): found = multiples(definition, observed, least: least)
    }
    return Set(found.filter(definition.accepts) + [own]).sorted()
  }

  private static func multiples(
    _ definition: ParameterDefinition, _ observed: ObservedRange, least: Int
  ) -> [Double] {
    let range = definition.range
    let low = max(observed.lowest, range.lowerBound)
    let high = min(observed.highest, range.upperBound)
    guard low < high, let step = step(upTo: (high - low) / Double(least)) else { return [] }
    let first = (low / step).rounded(.down) - 1
    let last = (high / step).rounded(.up) + 1
    guard first.magnitude < 1e9, last.magnitude < 1e9 else { return [] }
    return DecimalSteps.values(from: 0, step: step, Int(first)...Int(last)).filter(range.contains)
  }

  private static func step(upTo size: Double) -> Double? {
    guard size.isFinite, size > 0 else { return nil }
    let powers = -12...12
    return powers.flatMap { power in ["1", "5"].compactMap { Double("\($0)e\(power)") } }
      .last { $0 <= size }
  }

  /// How many digits a number has without zeros at either end; a last digit of 5 counts as one
  /// half.
  ///
  /// Fewer digits mean a rounder number: 0.44 has 2, 0.45 has 1.5, and 0.4 and 100 have 1.
  package static func digits(_ value: Double) -> Double {
    let mantissa = "\(value.magnitude)".prefix { $0 != "e" }.filter(\.isNumber)
    let significant = mantissa.drop { $0 == "0" }
    let digits = significant.reversed().drop { $0 == "0" }
    return Double(digits.count) - (digits.first == "5" ? 0.5 : 0)
  }
}

package struct RoundChoice: Hashable, Sendable {
  package let place: Int
  package let plateau: ClosedRange<Int>

  /// Values whose gain is within this distance of the best gain are equally good; 0.001 is a tenth
  /// of a point.
  package static let tolerance = 0.001
  package static let relativeTolerance = 0.05

  /// Chooses the roundest value among those that are as good as the best; nil if no value gains
  /// `least`.
  ///
  /// Equally good values form runs of neighbors. The run with the best value is taken; of several
  /// such runs, the widest one, then the first one. With `standardErrors`, a value is also as good
  /// as the best if its loss is within its standard error.
  ///
  /// The candidates are the values of the run within a quarter of its width from `middle`, or from
  /// the middle of the run if `middle` is nil. A `middle` outside the run counts as the nearest
  /// end. Of equally round candidates, the nearest to `middle` is taken, then the smallest.
  /// `values` ascend. A score of nil means that the value is not allowed.
  init?(
    _ values: [Double], _ scores: [Double?], own: Int, least: Double, middle wanted: Double? = nil,
    standardErrors: [Double?] = []
  ) {
    guard let start = scores[own], let best = scores.compactMap(\.self).max(), best - start >= least
    else { return nil }
    let slack = max(Self.tolerance, Self.relativeTolerance * (best - start))
    let isAsGood = scores.indices.map { place in
      let slack = max(slack, standardErrors.isEmpty ? 0 : standardErrors[place] ?? 0)
      return scores[place].map { $0 >= best - slack && $0 - start >= least } ?? false
    }
    let runs = isAsGood.indices(of: true).ranges.map { ClosedRange($0) }
      .filter { run in run.contains { scores[$0] == best } }
    func width(_ run: ClosedRange<Int>) -> Double {
      values[run.upperBound] - values[run.lowerBound]
    }
    // Of equally wide runs, `max` returns the first.
    guard let run = runs.max(by: { width($0) < width($1) }) else { return nil }
    let widest = width(run)
    let middle =
      wanted.map { min(max($0, values[run.lowerBound]), values[run.upperBound]) }
      ?? values[run.lowerBound] + widest / 2
    func distance(_ place: Int) -> Double { abs(values[place] - middle) }
    let nearest = run.map(distance).min() ?? 0
    let chosen = run.filter { distance($0) <= max(nearest, widest / 4) }.min {
      (RoundValues.digits(values[$0]), distance($0)) < (
        RoundValues.digits(values[$1]), distance($1)
      )
    }
    guard let chosen else { return nil }
    place = chosen
    plateau = run
  }
}
