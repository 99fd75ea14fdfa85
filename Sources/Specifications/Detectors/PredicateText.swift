package import PlankDetection

/// The text form of a predicate: `measurement op parameter`, for example `shoulderRise < -side_rise`.
package enum PredicateText {
  /// Why a text is no predicate.
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text does not have three words.
    case notThreeWords(String)
    /// The first word is no measurement.
    case unknownMeasurement(String)
    /// The second word is no comparison.
    case unknownComparison(String)
    /// The third word is no name of a parameter.
    case notAParameter(String)

    /// What was found, what is allowed and what to do.
    package var description: String {
      switch self {
      case .notThreeWords(let text):
        "`\(text)` is not of the form `measurement op parameter`; write for example "
          + "`hipDeviation < -sag`"
      case .unknownMeasurement(let word):
        "`\(word)` is not a measurement; measurements are "
          + Measurement.allCases.map(\.name).joined(separator: ", ")
      case .unknownComparison(let word):
        "`\(word)` is not a comparison; comparisons are >, >=, < and <="
      case .notAParameter(let word):
        "`\(word)` is not the name of a parameter; a number must be given a name under "
          + "`parameters`, so that it can be tuned"
      }
    }
  }

  /// Reads a predicate.
  package static func parse(_ text: String) throws(Problem) -> Predicate {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    guard words.count == 3 else { throw .notThreeWords(text) }
    guard let measurement = Measurement(name: words[0]) else {
      throw .unknownMeasurement(words[0])
    }
    guard let comparison = Comparison(rawValue: words[1]) else {
      throw .unknownComparison(words[1])
    }
    let isNegated = words[2].hasPrefix("-")
    let key = isNegated ? String(words[2].dropFirst()) : words[2]
    guard isName(key) else { throw .notAParameter(words[2]) }
    return Predicate(measurement, comparison, ParameterKey(key), negated: isNegated)
  }

  /// Whether a text can name a parameter: lower-case letters, digits and underscores.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first) else { return false }
    return text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
  }
}
