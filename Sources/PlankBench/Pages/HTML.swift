/// Interpolated text is escaped, and markup is not escaped again, so text from data can never
/// become markup: `let cell: HTML = "<td>\(name)</td>"`.
struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
  private(set) var text: String

  init(markup text: String) { self.text = text }

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  static let empty = HTML(markup: "")

  var isEmpty: Bool { text.isEmpty }

  static func + (first: HTML, second: HTML) -> HTML { HTML(markup: first.text + second.text) }

  static func += (first: inout HTML, second: HTML) { first.text += second.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ value: String) { text += SVGCanvas.escaped(value) }

    mutating func appendInterpolation(_ value: Int) { text += String(value) }

    mutating func appendInterpolation(_ value: HTML) { text += value.text }

    mutating func appendInterpolation(_ value: [HTML]) { for part in value { text += part.text } }

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

  static func styled(_ text: StyledText) -> HTML {
    let body = prose(text.text)
    return switch text.tone {
    case .plain: body
    case .strong: "<strong>\(body)</strong>"
    case .dim, .good, .bad, .warning: "<span class=\"\(text.tone.rawValue)\">\(body)</span>"
    }
  }
}
