package import Specifications

/// Where a user wrote a choice; mistakes are named as they stand there.
package enum ChoiceSource: Hashable, Sendable {
  /// Options of the command line.
  case options
  /// A file: its mistakes are bad data with a line.
  case file(SettingPlaces)

  /// A mistake.
  ///
  /// - Parameters:
  ///   - option: what the command line calls the setting; nil where that is not said.
  ///   - text: what was given; nil where the problem says it.
  ///   - fields: what a file calls the setting, the nearest first.
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
