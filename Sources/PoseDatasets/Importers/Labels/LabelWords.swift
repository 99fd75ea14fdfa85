package import PoseModel

package struct LabelMap: Hashable, Sendable {
  package static let anyOther = "*"

  package let targets: [String: LabelTarget]

  package init(_ targets: [String: LabelTarget] = [:]) { self.targets = targets }

  /// Parses assignments such as `L=forearm/sag`, `up=none` and `*=ignore`.
  ///
  /// The last `=` separates label and target, because a label may contain `=`.
  package init(_ assignments: [String]) throws {
    var targets: [String: LabelTarget] = [:]
    for assignment in assignments {
      guard let equals = assignment.lastIndex(of: "="), equals > assignment.startIndex else {
        throw PoseSourceError.invalidOption(
          "a label assignment", found: assignment,
          allowed: "LABEL=CLASS, for example `L=forearm/sag`")
      }
      let label = String(assignment[..<equals])
      let target = try LabelTarget(String(assignment[assignment.index(after: equals)...]))
      guard targets.updateValue(target, forKey: label) == nil else {
        throw PoseSourceError.invalidOption(
          "a label assignment", found: assignment, allowed: "each label once")
      }
    }
    self.targets = targets
  }

  package subscript(label: String) -> LabelTarget? {
    targets[label] ?? targets[LabelWords.withoutSide(label)] ?? targets[Self.anyOther]
  }

  func meanings(of labels: [String], file: String) throws -> [LabelTarget] {
    guard let meanings = labels.mapAll({ self[$0] }) else {
      let counts = Dictionary(grouping: labels) { $0 }.mapValues(\.count)
        .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      let unmapped = counts.map(\.key).filter { self[$0] == nil }
      let seen = counts.map { "`\($0.key)` (\($0.value) \($0.value == 1 ? "row" : "rows"))" }
      let example = unmapped.first ?? "label"
      throw PoseSourceError.unusable(
        file, "no class is given for \(PoseSourceError.list(unmapped))",
        "the labels are \(seen.joined(separator: ", ")). Map one as in "
          + "`\(example)=forearm/sag` or `\(example)=none`, ignore one with `=ignore`, or give all "
          + "others a class with `*=none`")
    }
    return meanings
  }
}

package struct LabelTarget: Hashable, Sendable {
  package let plank: PlankClass?
  package let form: FormClass?

  package static let ignore = LabelTarget(uncheckedPlank: nil, form: nil)
  package static let noPlank = LabelTarget(uncheckedPlank: PlankClass.none, form: nil)

  package init(_ plank: PlankClass, form: FormClass? = nil) throws {
    guard form == nil || plank != .none else {
      throw PoseSourceError.invalidOption(
        "a label's class", found: "none/\(form?.name ?? "")",
        allowed: "a form only with a plank, for example `forearm/sag`; write `none` alone")
    }
    self.init(uncheckedPlank: plank, form: form)
  }

  package init(_ text: String) throws {
    if text == "ignore" {
      self = .ignore
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let form = parts.count == 2 ? FormClass(name: parts[1]) : nil
    guard let plank = PlankClass(name: parts[0]), parts.count == 1 || form != nil else {
      throw PoseSourceError.invalidOption(
        "a label's class", found: text, allowed: Self.allowed, names: Self.names)
    }
    try self.init(plank, form: form)
  }

  private init(uncheckedPlank plank: PlankClass?, form: FormClass?) {
    self.plank = plank
    self.form = form
  }

  private static let names =
    ["ignore"] + PlankClass.allCases.map(\.name)
    + PlankClass.allCases.filter { $0 != .none }.flatMap { plank in
      FormClass.allCases.map { "\(plank.name)/\($0.name)" }
    }

  private static let allowed =
    "ignore or one of \(PlankClass.allCases.map(\.name).joined(separator: ", ")), a plank "
    + "optionally with /\(FormClass.allCases.map(\.name).joined(separator: ", /"))"
}

/// The spellings that mean a class without `--label`.
///
/// The list is exact; any other word needs a `--label` option. It leaves out "left side plank" and
/// "side plank left", because coaches name the arm that carries the body while `sideLeft` names the
/// shoulder that is up, and "low plank", because in yoga it is not a forearm plank.
enum LabelWords {
  static let planks: [String: PlankClass] = [
    "none": .none, "no plank": .none, "not a plank": .none, "noplank": .none, "forearm": .forearm,
    "forearm plank": .forearm, "elbow plank": .forearm, "high": .high, "high plank": .high,
    "straight arm plank": .high, "side left": .sideLeft, "side right": .sideRight,
    "reverse": .reverse, "reverse plank": .reverse, "plank forearm": .forearm,
    "plank elbow": .forearm, "plank high": .high, "plank reverse": .reverse,
  ]

  static let forms: [String: FormClass] = [
    "aligned": .aligned, "good": .aligned, "good form": .aligned, "straight": .aligned,
    "sag": .sag, "sagging": .sag, "sagging hips": .sag, "hips sagging": .sag, "hips sag": .sag,
    "pike": .pike, "piking": .pike, "piked": .pike, "hips piked": .pike, "piking hips": .pike,
  ]

  static func target(_ label: String) -> LabelTarget? {
    if let exact = try? LabelTarget(label) { return exact }
    let words = words(label)
    guard (1...longest).contains(words.count), isFirm(label) else { return nil }
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

  static func areForms(_ texts: some Sequence<String>) -> Bool {
    texts.allSatisfy { form($0) != nil } && texts.contains(where: namesForm)
  }

  /// Whether all texts are classes; `high` and `none` alone may describe other things.
  static func areClasses(_ texts: some Sequence<String>) -> Bool {
    texts.allSatisfy { target($0) != nil }
      && texts.contains { !["high", "none", "reverse", "ignore"].contains($0.lowercased()) }
  }

  /// Whether texts beside a label mostly name forms, as in `level`, `sagging` and `piked`; an error
  /// then asks what the others mean.
  static func mayBeForms(_ texts: Set<String>) -> Bool {
    let forms = texts.filter { form($0) != nil }
    return forms.count * 2 >= texts.count && forms.contains(where: namesForm)
      && !texts.contains { target($0) != nil }
  }

  /// Whether the text is a form that nothing but a posture has; `good` may describe the light.
  static func namesForm(_ text: String) -> Bool {
    form(text) != nil && !vague.contains(words(text).joined(separator: " "))
  }

  private static let vague: Set = ["good", "straight"]

  static func form(_ label: String) -> FormClass? {
    isFirm(label) ? forms[words(label).joined(separator: " ")] : nil
  }

  /// Whether no mark negates or questions the words, as in `!high`, `-high` or `high plank?`.
  private static func isFirm(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars.drop { $0.properties.isWhitespace })
    return scalars.indices.allSatisfy { index in
      let scalar = scalars[index]
      guard !isPartOfWord(scalar), !scalar.properties.isWhitespace else { return true }
      guard dashes.contains(scalar) else { return marks.contains(scalar) }
      return index > 0
        && (isPartOfWord(scalars[index - 1]) || scalars[safe: index + 1].map(isPartOfWord) != true)
    }
  }

  private static let dashes: Set<Unicode.Scalar> = ["-", "\u{2013}", "\u{2014}"]
  private static let marks = Set("_/\\,.:;()[]|+&'\"".unicodeScalars)

  private static let longest = 8

  static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    func end() {
      if !word.isEmpty { words.append(word.lowercased()) }
      word = ""
    }
    for scalar in name.unicodeScalars.prefix(200) {
      guard isPartOfWord(scalar) else {
        end()
        wasLower = false
        continue
      }
      if scalar.properties.isUppercase, wasLower { end() }
      word.unicodeScalars.append(scalar)
      wasLower = scalar.properties.isLowercase
    }
    end()
    return words
  }

  /// Returns the only form among texts, or several as one text, which is asked for.
  static func joined(_ forms: [String]) -> String? {
    let names = Set(forms.map { form($0)?.name ?? $0 })
    return names.isEmpty ? nil : names.sorted().joined(separator: "+")
  }

  private static let sides: Set = [
    "left", "right", "l", "r", "links", "rechts", "gauche", "droite", "izquierda", "derecha",
  ]

  static func isSide(_ text: some StringProtocol) -> Bool { sides.contains(text.lowercased()) }

  /// Returns the label with the side beside it, without which `side plank` is two classes; the
  /// brackets keep it from being a class by itself, because the side may be that of the arm.
  static func label(_ label: String, side: some StringProtocol) -> String {
    let words = words(label)
    let isOfSide =
      words.contains { word in ["side", "seit", "lateral"].contains(where: word.hasPrefix) }
      && words.contains { word in ["plank", "stütz", "stuetz"].contains(where: word.contains) }
    return isOfSide && isSide(side) && target(label) == nil ? "\(label) <\(side)>" : label
  }

  static func withoutSide(_ label: String) -> String {
    guard label.hasSuffix(">"), let mark = label.lastIndex(of: "<") else { return label }
    return String(label[..<mark].dropLast())
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return properties.isAlphabetic || properties.numericType != nil
      || properties.canonicalCombiningClass != .notReordered
  }
}
