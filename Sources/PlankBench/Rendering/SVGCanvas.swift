/// Collects the elements of an SVG picture; every text and attribute is escaped.
struct SVGCanvas {
  /// A place on the canvas: x to the right, y downward.
  struct Point: Hashable {
    var x: Double
    var y: Double
  }

  /// How a text is set.
  struct TextStyle {
    var size = 13.0
    var color = "#1f2933"
    var anchor = "start"
    var isBold = false
    /// Whether a white halo keeps the text readable on lines.
    var hasHalo = false
  }

  private var body = ""

  /// Adds a straight line.
  mutating func line(
    _ a: Point, _ b: Point, color: String, width: Double, dash: String? = nil, opacity: Double = 1
  ) {
    body += "<line x1=\"\(Self.number(a.x))\" y1=\"\(Self.number(a.y))\""
    body += " x2=\"\(Self.number(b.x))\" y2=\"\(Self.number(b.y))\" stroke=\"\(color)\""
    body += " stroke-width=\"\(Self.number(width))\" stroke-linecap=\"round\""
    if let dash { body += " stroke-dasharray=\"\(dash)\"" }
    if opacity < 1 { body += " opacity=\"\(Self.number(opacity))\"" }
    body += "/>\n"
  }

  /// Adds a line through several points.
  mutating func path(_ points: [Point], color: String, width: Double) {
    guard let first = points.first else { return }
    let steps = points.dropFirst().map { "L\(Self.number($0.x)) \(Self.number($0.y))" }
    body += "<path d=\"M\(Self.number(first.x)) \(Self.number(first.y))\(steps.joined())\""
    body += " fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(Self.number(width))\""
    body += " stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n"
  }

  /// Adds a filled disk.
  mutating func disk(_ center: Point, radius: Double, color: String, outline: String? = nil) {
    body += "<circle cx=\"\(Self.number(center.x))\" cy=\"\(Self.number(center.y))\""
    body += " r=\"\(Self.number(radius))\" fill=\"\(color)\""
    if let outline { body += " stroke=\"\(outline)\" stroke-width=\"1.5\"" }
    body += "/>\n"
  }

  /// Adds a filled rectangle with round corners.
  mutating func box(
    x: Double, y: Double, width: Double, height: Double, radius: Double, color: String,
    outline: String? = nil
  ) {
    body += "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    body += " width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    body += " rx=\"\(Self.number(radius))\" fill=\"\(color)\""
    if let outline { body += " stroke=\"\(outline)\"" }
    body += "/>\n"
  }

  /// Adds an arrow.
  mutating func arrow(from a: Point, to b: Point, color: String, width: Double = 2) {
    line(a, b, color: color, width: width)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = max((dx * dx + dy * dy).squareRoot(), 0.001)
    let (ux, uy) = (dx / length, dy / length)
    let head = 7.0
    let left = Point(
      x: b.x - head * ux + head * 0.5 * uy, y: b.y - head * uy - head * 0.5 * ux)
    let right = Point(
      x: b.x - head * ux - head * 0.5 * uy, y: b.y - head * uy + head * 0.5 * ux)
    path([left, b, right], color: color, width: width)
  }

  /// Adds a text at its baseline.
  mutating func text(_ text: String, at point: Point, _ style: TextStyle = TextStyle()) {
    body += "<text x=\"\(Self.number(point.x))\" y=\"\(Self.number(point.y))\""
    body += " font-size=\"\(Self.number(style.size))\" fill=\"\(style.color)\""
    if style.anchor != "start" { body += " text-anchor=\"\(style.anchor)\"" }
    if style.isBold { body += " font-weight=\"600\"" }
    if style.hasHalo {
      body += " stroke=\"#ffffff\" stroke-width=\"4\" stroke-linejoin=\"round\""
      body += " paint-order=\"stroke\""
    }
    body += ">\(Self.escaped(text))</text>\n"
  }

  /// The picture as a document of its own; it ends with a line break.
  ///
  /// - Parameter title: what screen readers say.
  func document(width: Double, height: Double, title: String) -> String {
    let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    let box = "viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\""
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) \(box) role=\"img\""
      + " font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\">\n"
      + "<title>\(Self.escaped(title))</title>\n\(body)</svg>\n"
  }

  /// A text that is no markup; control characters, which XML forbids, become spaces.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func number(_ value: Double) -> String {
    NumberText.shortest((value * 100).rounded() / 100)
  }
}
