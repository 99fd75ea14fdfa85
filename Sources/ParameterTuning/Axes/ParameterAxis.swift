package import PlankDetection

/// One numeric dimension of a grid: a parameter and the values it takes.
package struct ParameterAxis: Hashable, Sendable {
  /// The parameter.
  package let key: ParameterKey
  /// Its values.
  package let values: AxisValues

  /// Makes an axis; `resolved` checks it.
  package init(_ key: ParameterKey, _ values: AxisValues) {
    self.key = key
    self.values = values
  }

  /// Checks values that do not depend on data; quantiles are checked where they are taken.
  ///
  /// - Throws: `TuningError` for ranges and lists without a usable value.
  package func validate(_ definition: ParameterDefinition) throws(TuningError) {
    if case .quantiles = values { return }
    _ = try resolved(definition) { nil }
  }

  /// The axis with its values as numbers, sorted.
  ///
  /// - Parameters:
  ///   - definition: what is known of the parameter.
  ///   - observed: the numbers whose quantiles are meant; asked only for quantile axes.
  /// - Throws: `TuningError` for ranges and lists without a usable value.
  func resolved(
    _ definition: ParameterDefinition, observed: () -> [Double]?
  ) throws(TuningError) -> ResolvedAxis {
    let numbers = try numbers(definition, observed: observed).sorted()
    for value in numbers where !definition.accepts(value) {
      throw .detector(.invalidValue(definition, value))
    }
    for (left, right) in zip(numbers, numbers.dropFirst()) where left == right {
      throw .repeatedValue(key, left)
    }
    return ResolvedAxis(definition: definition, values: numbers)
  }

  private func numbers(
    _ definition: ParameterDefinition, observed: () -> [Double]?
  ) throws(TuningError) -> [Double] {
    switch values {
    case .range(let from, let to, let step):
      guard from.isFinite, to.isFinite, step.isFinite, step > 0, from <= to else {
        throw .invalidRange(key, from: from, to: to, step: step)
      }
      let count = DecimalSteps.count(from: from, to: to, step: step)
      guard count <= DecimalSteps.mostValues else { throw .tooManyValues(key, count: count) }
      return (0..<count).map { DecimalSteps.value(from: from, step: step, index: $0) }
    case .list(let list):
      guard !list.isEmpty else { throw .emptyAxis(key) }
      return list
    case .quantiles(let count):
      guard count >= 1 else { throw .emptyAxis(key) }
      guard let observed = observed() else { throw .noMeasurement(key) }
      let quantiles = ObservedQuantiles.values(
        observed.filter { definition.range.contains($0) }, count: count)
      guard !quantiles.isEmpty else { throw .nothingObserved(key) }
      return quantiles
    }
  }
}
