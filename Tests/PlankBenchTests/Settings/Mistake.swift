import PoseDatasets
import Testing

/// A mistake in a file that people write: what stands in place of what, and where the error points.
struct Mistake: CustomTestStringConvertible, Sendable {
  /// What a good text has.
  let from: String
  /// What it has instead.
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
  func expectError(in good: String, _ parse: (String) throws -> Void) -> YAMLError? {
    let text = good.replacing(from, with: to, maxReplacements: 1)
    #expect(text != good)
    let error = #expect(throws: YAMLError.self) { try parse(text) }
    #expect(error?.line == line, "\(error?.description ?? "")")
    #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
    return error
  }
}
