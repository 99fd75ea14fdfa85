internal import PlankDetection
internal import PoseDatasets

/// The lines of a file's settings, for mistakes that only show when the settings are used: an
/// unknown parameter, more folds than people, a split that the dataset does not have.
struct SettingPlaces: Hashable, Sendable {
  let file: String
  private var lines: [String: Int] = [:]

  init(_ root: YAMLNode) {
    file = root.file
    add(root)
  }

  init(file: String, lines: [String: Int]) {
    self.file = file
    self.lines = lines
  }

  func line(of field: String) -> Int? { lines[field] }

  private mutating func add(_ node: YAMLNode) {
    lines[node.field] = node.line
    switch node.content {
    case .scalar: break
    case .sequence(let elements): for element in elements { add(element) }
    case .mapping(let entries): for entry in entries { add(entry.value) }
    }
  }

  /// `gate.yaml:4: `set[1]`: ...`, with the first of the fields that the file has, or only the
  /// file.
  func message(_ fields: [String], _ problem: String) -> String {
    for field in fields {
      if let line = lines[field] { return "\(file):\(line): `\(field)`: \(problem)" }
    }
    return "\(file): \(problem)"
  }
}

enum ChoiceSource: Hashable, Sendable {
  case options
  case file(SettingPlaces)

  func failure(
    option: String?, text: String? = nil, fields: [String], _ problem: String
  ) -> WorkflowFailure {
    switch self {
    case .options:
      WorkflowFailure(
        .usage,
        (option.map { [$0, text].compactMap(\.self).joined(separator: " ") + ": " } ?? "") + problem
      )
    case .file(let places):
      WorkflowFailure(
        .badData, places.message(fields, (text.map { "`\($0)`: " } ?? "") + problem))
    }
  }
}

enum Assignments {
  /// Refuses a key that is set twice, because nobody can tell which value was meant.
  static func checkRepeats(
    _ assignments: [String], option: String, source: ChoiceSource = .options
  ) throws {
    var seen: [Substring: String] = [:]
    for (index, assignment) in assignments.enumerated() {
      let key = assignment.prefix { $0 != "=" }
      guard let earlier = seen.updateValue(assignment, forKey: key) else { continue }
      throw source.failure(
        option: option, text: assignment, fields: ["set[\(index)]"],
        "`\(key)` is already set by \(earlier); keep one of them")
    }
  }
  static func set(
    _ assignments: [String], in parameters: inout ParameterValues, source: ChoiceSource
  ) throws {
    try checkRepeats(assignments, option: "--set", source: source)
    for (index, assignment) in assignments.enumerated() {
      do {
        try parameters.set(assignment)
      } catch {
        throw source.failure(
          option: "--set", text: assignment, fields: ["set[\(index)]"], "\(error)")
      }
    }
  }
}
