package import ParameterTuning
package import PlankDetection

/// An axis as a command line or a file writes it, before its parameter's unit is known.
///
/// `sag=0:0.08:0.005` goes from 0 to 8 cm by 5 mm, `plank_frames=1,3,5` lists values, and
/// `elbow_split=quantiles:24` takes quantiles of what was measured. Numbers may carry the unit of
/// the parameter: `sag=0cm:8cm:5mm` is the first again.
package struct AxisText: Hashable, Sendable {
  /// Values as texts.
  package enum Values: Hashable, Sendable {
    /// From, to and step.
    case range(from: String, to: String, step: String)
    /// The values one by one.
    case list([String])
    /// So many quantiles of the observed measurement.
    case quantiles(String)
  }

  /// Why a text is no axis.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, what is allowed, what to do.
    package let description: String
  }

  /// The parameter's name.
  package let key: String
  /// Its values.
  package let values: Values

  /// Makes an axis.
  package init(key: String, values: Values) {
    self.key = key
    self.values = values
  }

  /// Reads the form of the command line.
  package init(assignment: String) throws(Problem) {
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw Problem(
        description: "`\(assignment)` is no axis; write key=from:to:step, key=value,value or "
          + "key=quantiles:count, for example sag=0:0.08:0.005")
    }
    let bounds = parts[1].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    key = String(parts[0])
    switch bounds.count {
    case 1:
      values = .list(
        parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    case 2 where bounds[0] == "quantiles": values = .quantiles(bounds[1])
    case 3: values = .range(from: bounds[0], to: bounds[1], step: bounds[2])
    default:
      throw Problem(
        description: "`\(parts[1])` are no values of an axis; write from:to:step, value,value or "
          + "quantiles:count")
    }
  }

  /// The axis in the unit of its parameter.
  ///
  /// - Throws: `Problem` for numbers that cannot be read or carry another unit; whether they are
  ///   in range is checked where the axis is resolved.
  package func axis(_ definition: ParameterDefinition) throws(Problem) -> ParameterAxis {
    switch values {
    case .range(let from, let to, let step):
      return ParameterAxis(
        definition.key,
        .range(
          from: try number(from, definition), to: try number(to, definition),
          step: try number(step, definition)))
    case .list(let texts):
      var numbers: [Double] = []
      for text in texts { numbers.append(try number(text, definition)) }
      return ParameterAxis(definition.key, .list(numbers))
    case .quantiles(let text):
      guard let count = Int(text), (1...Self.mostQuantiles).contains(count) else {
        throw Problem(
          description: "`\(text)` quantiles cannot be taken; write a whole number from 1 to "
            + "\(Self.mostQuantiles)")
      }
      return ParameterAxis(definition.key, .quantiles(count))
    }
  }

  private static let mostQuantiles = 100_000

  private func number(
    _ text: String, _ definition: ParameterDefinition
  ) throws(Problem) -> Double {
    do {
      return try definition.number(text)
    } catch {
      throw Problem(description: "\(error)")
    }
  }
}
