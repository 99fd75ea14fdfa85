import PoseDatasets
import Testing

/// A mistake in a file that people write: the replacement of a good text, and the place of the
/// error.
struct Mistake: CustomTestStringConvertible, Sendable {
  /// The good text.
  let from: String
  /// Its replacement.
  let to: String
  /// The line of the error.
  let line: Int
  /// A word of the error's text.
  let word: String

  var testDescription: String { to }

  /// Makes the mistake in a good text and expects an error that finds it.
  ///
  /// - Returns: the error.
  @discardableResult
  func expectError(in good: String, _ parse: (String) throws -> Void) -> FieldError? {
    let text = good.replacing(from, with: to, maxReplacements: 1)
    #expect(text != good)
    let error = #expect(throws: FieldError.self) { try parse(text) }
    #expect(error?.line == line, "\(error?.description ?? "")")
    #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
    return error
  }
}
