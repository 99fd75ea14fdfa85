import PoseModel

/// The plain spellings of classes that have a meaning without `--label`.
///
/// The list is exact: what is not in it is asked for. "Left side plank" is not: coaches name the arm
/// that carries, and `sideLeft` the shoulder that is up. "Low plank" is not: in yoga it is no
/// forearm plank.
enum LabelWords {
  static let planks: [String: PlankClass] = [
    "none": .none, "no plank": .none, "not a plank": .none, "noplank": .none,
    "forearm": .forearm, "forearm plank": .forearm, "elbow plank": .forearm,
    "high": .high, "high plank": .high, "straight arm plank": .high,
    "side left": .sideLeft, "side plank left": .sideLeft,
    "side right": .sideRight, "side plank right": .sideRight,
    "reverse": .reverse, "reverse plank": .reverse,
  ]

  static let forms: [String: FormClass] = [
    "aligned": .aligned, "good": .aligned, "good form": .aligned, "straight": .aligned,
    "sag": .sag, "sagging": .sag, "sagging hips": .sag, "hips sagging": .sag, "hips sag": .sag,
    "pike": .pike, "piking": .pike, "piked": .pike, "hips piked": .pike, "piking hips": .pike,
  ]

  /// The meaning of a label that is a spelling of a class, or of a class and a form.
  static func target(_ label: String) -> LabelTarget? {
    if let exact = try? LabelTarget(label) { return exact }
    let words = words(label)
    guard (1...longest).contains(words.count) else { return nil }
    if words == ["ignore"] { return .ignore }
    if let plank = planks[words.joined(separator: " ")] { return try? LabelTarget(plank) }
    for split in 1..<max(1, words.count) {
      let first = words[..<split].joined(separator: " ")
      let second = words[split...].joined(separator: " ")
      let plank = planks[first] ?? planks[second]
      guard let plank, let form = forms[planks[first] == nil ? first : second] else { continue }
      return try? LabelTarget(plank, form: form)
    }
    return nil
  }

  static func form(_ label: String) -> FormClass? { forms[words(label).joined(separator: " ")] }

  private static let longest = 8

  /// Lowercase words; `ForearmPlank`, `forearm_plank` and `Forearm plank` are the same.
  static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    func end() {
      if !word.isEmpty { words.append(word.lowercased()) }
      word = ""
    }
    for scalar in name.unicodeScalars.prefix(200) {
      let properties = scalar.properties
      guard
        properties.isAlphabetic || properties.numericType != nil
          || properties.canonicalCombiningClass != .notReordered
      else {
        end()
        wasLower = false
        continue
      }
      if properties.isUppercase, wasLower { end() }
      word.unicodeScalars.append(scalar)
      wasLower = properties.isLowercase
    }
    end()
    return words
  }
}
