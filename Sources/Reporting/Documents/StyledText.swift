/// A text with a tone that faces may show as color.
package struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral,
  ExpressibleByStringInterpolation
{
  /// How a text is meant.
  package enum Tone: Hashable, Sendable {
    /// Neither good nor bad.
    case plain
    /// As it should be.
    case good
    /// Worth a look.
    case warning
    /// Wrong.
    case bad
    /// Of less interest.
    case dim
    /// Of more interest.
    case strong
  }

  /// The characters.
  package var text: String
  /// How they are meant.
  package var tone: Tone

  /// Makes a text.
  package init(_ text: String, _ tone: Tone = .plain) {
    self.text = text
    self.tone = tone
  }

  /// Makes a plain text from a literal.
  package init(stringLiteral value: String) { self.init(value) }
}
