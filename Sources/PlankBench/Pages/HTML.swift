/// Markup of a page.
///
/// Texts that are interpolated are escaped, and markup is not escaped again, so text from data can
/// never become markup: `let cell: HTML = "<td>\(name)</td>"`.
struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The markup as it stands in a page.
  private(set) var text: String

  /// Takes markup that the program itself wrote, such as a picture.
  init(markup text: String) { self.text = text }

  /// Takes a literal, which is markup.
  init(stringLiteral value: String) { text = value }

  /// Takes a literal with texts and markup in it.
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Nothing.
  static let empty = HTML(markup: "")

  /// Whether there is nothing to show.
  var isEmpty: Bool { text.isEmpty }

  /// One after the other.
  static func + (first: HTML, second: HTML) -> HTML { HTML(markup: first.text + second.text) }

  /// Adds markup at the end.
  static func += (first: inout HTML, second: HTML) { first.text += second.text }

  /// What is put together from literals, texts and markup.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Makes room.
    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    /// Adds markup.
    mutating func appendLiteral(_ literal: String) { text += literal }

    /// Adds a text, escaped for an element's content and for a quoted attribute.
    mutating func appendInterpolation(_ value: String) { text += SVGCanvas.escaped(value) }

    /// Adds a whole number.
    mutating func appendInterpolation(_ value: Int) { text += String(value) }

    /// Adds markup.
    mutating func appendInterpolation(_ value: HTML) { text += value.text }

    /// Adds markup, one after the other.
    mutating func appendInterpolation(_ value: [HTML]) { for part in value { text += part.text } }

    /// Adds a text in which parts between backquotes are set as code.
    mutating func appendInterpolation(prose value: String) { text += HTML.prose(value).text }
  }

  /// A text, escaped, in which parts between backquotes are set as code.
  static func prose(_ value: String) -> HTML {
    let parts = SVGCanvas.escaped(value).split(separator: "`", omittingEmptySubsequences: false)
    // An unpaired backquote stays as it is.
    let last = parts.count.isMultiple(of: 2) ? "`" + (parts.last ?? "") : parts.last ?? ""
    let body = parts.dropLast().enumerated().map { index, part in
      index.isMultiple(of: 2) ? String(part) : "<code>\(part)</code>"
    }
    return HTML(markup: body.joined() + last)
  }

  /// A text with its tone.
  static func styled(_ text: StyledText) -> HTML {
    let body = prose(text.text)
    return switch text.tone {
    case .plain: body
    case .strong: "<strong>\(body)</strong>"
    case .dim, .good, .bad, .warning: "<span class=\"\(text.tone.rawValue)\">\(body)</span>"
    }
  }
}
