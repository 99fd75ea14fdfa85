internal import PlankDetection
internal import PoseModel

enum WordText {
  /// An enumeration: `a`, `a and b`, `a, b and c`; of more than four, three and how many more.
  static func list(_ words: [String]) -> String {
    guard words.count <= 4 else {
      return words.prefix(3).joined(separator: ", ") + " and \(words.count - 3) more"
    }
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension AnswerStream {
  var title: String {
    switch self {
    case .plank: "Plank"
    case .form: "Form"
    }
  }
}

extension MeasurementUnit {
  /// What follows a number of the unit: a space and the unit, nothing for ratios and frames.
  var suffix: String { self == .ratio || self == .frames ? "" : " " + rawValue }
}
