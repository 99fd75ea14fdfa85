package import PlankDetection
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
  /// Quantiles of the observed measurement that the parameter is compared with, at the fractions (i
  /// + 1/2) / count of the defined values within the parameter's range; if a rule negates the
  /// parameter, of the negated values. Equal quantiles count once.
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
    var distinct: [Double] = []
    for value in Description.quantiles(sample, at: fractions) ?? [] where value != distinct.last {
      distinct.append(value)
    }
    return distinct
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
    var seen: Set<Observation> = []
    for predicate in predicates {
      let observation = Observation(
        measurement: predicate.measurement, isNegated: predicate.isNegated)
      guard seen.insert(observation).inserted else { continue }
      for sequence in sequences {
        for value in sequence.columns[predicate.measurement] where value.isFinite {
          body(predicate.isNegated ? -Double(value) : Double(value))
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

  init?(
    of key: ParameterKey, _ detector: DetectorDefinition, _ sequences: [MeasuredSequence]
  ) {
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
