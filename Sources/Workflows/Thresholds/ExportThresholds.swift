internal import ParameterTuning
internal import PlankDetection
internal import Reporting
internal import Smoothing
internal import Specifications

/// Writes thresholds in a form that an app ships, or checks that a file still says the same.
package enum ExportThresholds {
  /// The forms.
  package enum Format: String, CaseIterable, Sendable {
    /// A Swift file that makes the detector.
    case swift
    /// Names and numbers alone.
    case json
    /// A property list of names and numbers.
    case plist
  }

  /// What `export` is asked for.
  package struct Request: Sendable {
    /// The thresholds file.
    package var thresholds: String
    /// The form.
    package var format: Format
    /// The name of the Swift type.
    package var typeName: String
    /// A file to compare with instead of printing; nil prints.
    package var check: String?

    /// Makes a request.
    package init(
      thresholds: String, format: Format, typeName: String = "PlankThresholds",
      check: String? = nil
    ) {
      self.thresholds = thresholds
      self.format = format
      self.typeName = typeName
      self.check = check
    }
  }

  /// Exports or checks.
  ///
  /// - Throws: `WorkflowFailure` for a missing or bad thresholds file and a missing file to check.
  package static func run(_ request: Request) throws(WorkflowFailure) -> Outcome {
    let thresholds = try ThresholdsFile.read(request.thresholds)
    let text: String
    switch request.format {
    case .swift:
      guard SwiftExport.isTypeName(request.typeName) else {
        throw WorkflowFailure(
          .usage,
          "--type-name \(request.typeName): is no Swift type name; write letters, digits "
            + "and underscores, a capital letter first")
      }
      guard thresholds.smoothing.isCausal else {
        throw WorkflowFailure(
          .badData,
          "\(request.thresholds): the smoothing \(thresholds.smoothing.text) looks ahead, "
            + "which no app can; choose a causal one")
      }
      text = SwiftExport(thresholds, typeName: request.typeName).text
    case .json: text = json(thresholds).text
    case .plist: text = PropertyListExport(thresholds).text
    }
    guard let check = request.check else { return Outcome(text) }
    return compare(try InputText.read(check), with: text, check, request)
  }

  private static func json(_ thresholds: Thresholds) -> JSONValue {
    let values = thresholds.parameters.facts()
    return .object([
      "detector": ThresholdsFile.detector(thresholds.definition),
      "smoothing": .string(thresholds.smoothing.text),
      "debounce": .string(thresholds.debounceText), "parameters": values.json,
      "units": values.unitsJSON,
    ])
  }

  private static func compare(
    _ found: String, with expected: String, _ file: String, _ request: Request
  ) -> Outcome {
    if found == expected {
      return Outcome("\(file) says the same as \(request.thresholds)\n")
    }
    let (old, new) = (lines(found), lines(expected))
    let removed = old.filter { !new.contains($0) }.map { "- " + $0 }
    let added = new.filter { !old.contains($0) }.map { "+ " + $0 }
    let command =
      "planklab export \(request.thresholds) --format \(request.format.rawValue) > \(file)"
    return Outcome(
      ["\(file) differs from \(request.thresholds):"].joined() + "\n"
        + (removed + added).map { $0 + "\n" }.joined(),
      remarks: ["if the thresholds are right: \(command)"], status: .gateFailed)
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }
}
