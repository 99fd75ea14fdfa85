package import PoseModel

/// What a label of a source means here: a class with or without a form, or not to be scored.
package struct LabelTarget: Hashable, Sendable {
  /// What was done, or nil for `ignore`.
  package let plank: PlankClass?
  /// The form, or nil where it was not judged.
  package let form: FormClass?

  /// Frames that are not scored.
  package static let ignore = LabelTarget(uncheckedPlank: nil, form: nil)
  /// Frames that show no plank.
  package static let noPlank = LabelTarget(uncheckedPlank: PlankClass.none, form: nil)

  /// Makes the meaning of a label that says which plank is held.
  ///
  /// - Throws: `PoseSourceError.invalidOption` for a form where there is no plank.
  package init(_ plank: PlankClass, form: FormClass? = nil) throws(PoseSourceError) {
    guard form == nil || plank != .none else {
      throw .invalidOption(
        "a label's class", found: "none/\(form?.name ?? "")",
        allowed: "a form only to a plank, for example `forearm/sag`; write `none` alone")
    }
    self.init(uncheckedPlank: plank, form: form)
  }

  /// Reads `none`, `ignore`, a plank class such as `high`, or one with a form: `forearm/sag`.
  ///
  /// - Throws: `PoseSourceError.invalidOption` for anything else.
  package init(_ text: String) throws(PoseSourceError) {
    if text == "ignore" {
      self = .ignore
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let form = parts.count == 2 ? FormClass(name: parts[1]) : nil
    guard let plank = PlankClass(name: parts[0]), parts.count == 1 || form != nil else {
      throw .invalidOption("a label's class", found: text, allowed: Self.allowed)
    }
    try self.init(plank, form: form)
  }

  private init(uncheckedPlank plank: PlankClass?, form: FormClass?) {
    self.plank = plank
    self.form = form
  }

  private static let allowed =
    "ignore or one of \(PlankClass.allCases.map(\.name).joined(separator: ", ")), a plank "
    + "optionally with /\(FormClass.allCases.map(\.name).joined(separator: ", /"))"
}
