package import PlankDetection
internal import PoseModel
internal import Statistics

package struct ParameterAxis: Hashable, Sendable {
  package let key: ParameterKey
  package let values: AxisValues

  package init(_ key: ParameterKey, _ values: AxisValues) {
    self.key = key
    self.values = values
  }

  package func validate(_ definition: ParameterDefinition) throws {
    if case .quantiles = values { return }
    _ = try resolved(definition) { nil }
  }

  func resolved(
    _ definition: ParameterDefinition, observed: () -> [Double]?
  ) throws -> ResolvedAxis {
    let numbers = try numbers(definition, observed: observed).sorted()
    for value in numbers where !definition.accepts(value) {
      throw DetectorError.invalidValue(definition, value)
    }
    for (left, right) in zip(numbers, numbers.dropFirst()) where left == right {
      throw TuningError.repeatedValue(key, left)
    }
    return ResolvedAxis(definition: definition, values: numbers)
  }

  private func numbers(
    _ definition: ParameterDefinition, observed: () -> [Double]?
  ) throws -> [Double] {
    switch values {
    case .range(let from, let to, let step):
      guard from.isFinite, to.isFinite, step.isFinite, step > 0, from <= to else {
        throw TuningError.invalidRange(key, from: from, to: to, step: step)
      }
      let count = DecimalSteps.count(from: from, to: to, step: step)
      guard count <= DecimalSteps.mostValues else {
        throw TuningError.tooManyValues(key, count: count)
      }
      return DecimalSteps.values(from: from, step: step, 0..<count)
    case .list(let list):
      guard !list.isEmpty else { throw TuningError.emptyAxis(key) }
      return list
    case .quantiles(let count):
      guard count >= 1 else { throw TuningError.emptyAxis(key) }
      guard let observed = observed() else { throw TuningError.noMeasurement(key) }
      let quantiles = ObservedQuantiles.values(
        observed.filter { definition.range.contains($0) }, count: count)
      guard !quantiles.isEmpty else { throw TuningError.nothingObserved(key) }
      return quantiles
    }
  }
}

package enum AxisValues: Hashable, Sendable {
  case range(from: Double, to: Double, step: Double)
  case list([Double])
  /// Quantiles of the measurement with which rules compare the parameter, at (i + 1/2) / count.
  ///
  /// Values outside the parameter's range do not count, nor do repeated quantiles. Values are
  /// negated first if a rule negates the parameter.
  case quantiles(Int)
}

package struct ResolvedAxis: Hashable, Sendable {
  package let definition: ParameterDefinition
  package let values: [Double]

  package var key: ParameterKey { definition.key }
}

enum ObservedQuantiles {
  static func values(_ sample: [Double], count: Int) -> [Double] {
    let fractions = (0..<count).map { (Double($0) + 0.5) / Double(count) }
    return (Description.quantiles(sample, at: fractions) ?? []).distinct
  }

  static func observations(
    of key: ParameterKey, _ detector: DetectorDefinition, _ sequences: [MeasuredSequence]
  ) -> [Double]? {
    var values: [Double] = []
    let isUsed = forEach(of: key, detector, sequences) { values.append($0) }
    return isUsed ? values : nil
  }

  fileprivate static func forEach(
    of key: ParameterKey, _ detector: DetectorDefinition, _ sequences: [MeasuredSequence],
    _ body: (Double) -> Void
  ) -> Bool {
    let predicates = (detector.plank.rules + detector.form.rules).flatMap(\.predicates)
      .filter { $0.parameter == key }
    let compared = predicates.map {
      Observation(measurement: $0.measurement, isNegated: $0.isNegated)
    }
    for observation in compared.distinct {
      for sequence in sequences {
        for value in sequence.columns[observation.measurement] where value.isFinite {
          body(observation.isNegated ? -Double(value) : Double(value))
        }
      }
    }
    return !predicates.isEmpty
  }

  private struct Observation: Hashable {
    let measurement: Measurement
    let isNegated: Bool
  }
}

struct ObservedRange: Hashable, Sendable {
  private(set) var lowest = Double.infinity
  private(set) var highest = -Double.infinity

  init(_ numbers: [Double]) {
    for number in numbers { add(number) }
  }

  init?(of key: ParameterKey, _ detector: DetectorDefinition, _ sequences: [MeasuredSequence]) {
    var range = ObservedRange([])
    let isUsed = ObservedQuantiles.forEach(of: key, detector, sequences) { range.add($0) }
    guard isUsed else { return nil }
    self = range
  }

  private mutating func add(_ number: Double) {
    lowest = min(lowest, number)
    highest = max(highest, number)
  }
}

enum DecimalSteps {
  static let mostValues = 100_000

  /// The tolerance of 1e-9 steps includes an end that is a multiple of the step.
  static func count(from: Double, to: Double, step: Double) -> Int {
    let steps = (to - from) / step + 1e-9
    return steps < Double(Int32.max) ? Int(steps) + 1 : Int.max
  }

  /// from + i step for every index i, each the `Double` nearest to the decimal sum.
  ///
  /// Numbers with more digits than 64 bits hold are added in binary.
  static func values(from: Double, step: Double, _ indices: some Sequence<Int>) -> [Double] {
    let decimals = Decimal.aligned(from, step)
    return indices.map { index in
      decimals.flatMap { $0.start.adding(index, times: $0.step) } ?? from + Double(index) * step
    }
  }

  private struct Decimal {
    private var digits: Int
    private var scale: Int

    private init?(_ value: Double) {
      guard value.isFinite else { return nil }
      let parts = "\(value)".split(separator: "e")
      let number = parts[0].split(separator: ".", omittingEmptySubsequences: false)
      let fraction = number.count > 1 ? number[1] : ""
      let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      guard let digits = Int(String(number[0]) + String(fraction)) else { return nil }
      self.digits = digits
      scale = fraction.count - exponent
    }

    static func aligned(_ start: Double, _ step: Double) -> (start: Decimal, step: Decimal)? {
      guard var start = Decimal(start), var step = Decimal(step) else { return nil }
      let scale = max(start.scale, step.scale)
      guard start.extend(to: scale), step.extend(to: scale) else { return nil }
      return (start, step)
    }

    func adding(_ factor: Int, times step: Decimal) -> Double? {
      let (offset, isTooLong) = step.digits.multipliedReportingOverflow(by: factor)
      let (sum, isTooLarge) = digits.addingReportingOverflow(offset)
      guard !isTooLong, !isTooLarge, let value = Double("\(sum)e\(-scale)") else { return nil }
      return value == 0 ? 0 : value
    }

    private mutating func extend(to other: Int) -> Bool {
      for _ in 0..<min(other - scale, 40) {
        let (product, isTooLong) = digits.multipliedReportingOverflow(by: 10)
        guard !isTooLong else { return false }
        digits = product
      }
      scale = other
      return true
    }
  }
}
