/// Every text and attribute is escaped; elements carry the colors of light pages; a style sheet
/// replaces them for readers who prefer dark pages.
struct SVGCanvas {
  struct Point: Hashable {
    var x: Double
    var y: Double
  }

  struct TextStyle {
    var size = 13.0
    var color = Theme.text
    var anchor = "start"
    var isBold = false
    var hasHalo = false
    var isUpward = false
  }

  private var body = ""
  private var colors: Set<ThemeColor> = []

  mutating func line(
    _ a: Point, _ b: Point, color: ThemeColor, width: Double, dash: String? = nil,
    opacity: Double = 1
  ) {
    body += "<line x1=\"\(Self.number(a.x))\" y1=\"\(Self.number(a.y))\""
    body += " x2=\"\(Self.number(b.x))\" y2=\"\(Self.number(b.y))\"" + paint(stroke: color)
    body += " stroke-width=\"\(Self.number(width))\" stroke-linecap=\"round\""
    if let dash { body += " stroke-dasharray=\"\(dash)\"" }
    if opacity < 1 { body += " opacity=\"\(Self.number(opacity))\"" }
    body += "/>\n"
  }

  mutating func path(_ points: [Point], color: ThemeColor, width: Double, dash: String? = nil) {
    guard let first = points.first else { return }
    let steps = points.dropFirst().map { "L\(Self.number($0.x)) \(Self.number($0.y))" }
    body += "<path d=\"M\(Self.number(first.x)) \(Self.number(first.y))\(steps.joined())\""
    body += paint(stroke: color) + " stroke-width=\"\(Self.number(width))\" fill=\"none\""
    if let dash { body += " stroke-dasharray=\"\(dash)\"" }
    body += " stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n"
  }

  mutating func disk(
    _ center: Point, radius: Double, color: ThemeColor, outline: ThemeColor? = nil
  ) {
    body += "<circle cx=\"\(Self.number(center.x))\" cy=\"\(Self.number(center.y))\""
    body += " r=\"\(Self.number(radius))\"" + paint(fill: color, stroke: outline)
    if outline != nil { body += " stroke-width=\"1.5\"" }
    body += "/>\n"
  }

  /// - Parameter isTile: it adjoins other tiles, so its edges are put on whole pixels.
  mutating func box(
    x: Double, y: Double, width: Double, height: Double, radius: Double, color: ThemeColor,
    outline: ThemeColor? = nil, isTile: Bool = false
  ) {
    body += "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    body += " width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    if radius > 0 { body += " rx=\"\(Self.number(radius))\"" }
    if isTile { body += " shape-rendering=\"crispEdges\"" }
    body += paint(fill: color, stroke: outline) + "/>\n"
  }

  mutating func arrow(from a: Point, to b: Point, color: ThemeColor, width: Double = 2) {
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

  mutating func text(_ text: String, at point: Point, _ style: TextStyle = TextStyle()) {
    let (x, y) = (Self.number(point.x), Self.number(point.y))
    body += "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(Self.number(style.size))\""
    if style.isUpward { body += " transform=\"rotate(-90 \(x) \(y))\"" }
    if style.anchor != "start" { body += " text-anchor=\"\(style.anchor)\"" }
    if style.isBold { body += " font-weight=\"600\"" }
    body += paint(fill: style.color, stroke: style.hasHalo ? Theme.raised : nil)
    if style.hasHalo {
      body += " stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\""
    }
    body += ">\(Self.escaped(text))</text>\n"
  }

  mutating func group(_ name: String, _ draw: (inout SVGCanvas) -> Void) {
    body += "<g><title>\(Self.escaped(name))</title>\n"
    draw(&self)
    body += "</g>\n"
  }

  private mutating func paint(fill: ThemeColor? = nil, stroke: ThemeColor? = nil) -> String {
    var attributes = ""
    var classes: [String] = []
    for (part, color) in [("fill", fill), ("stroke", stroke)] {
      guard let color else { continue }
      attributes += " \(part)=\"\(color.light)\""
      guard color.light != color.dark else { continue }
      colors.insert(color)
      classes.append("\(part)-\(color.name)")
    }
    return classes.isEmpty
      ? attributes : attributes + " class=\"\(classes.joined(separator: " "))\""
  }

  /// - Parameter isInPage: the page's `Theme.figureCSS` recolors it for readers who prefer dark
  /// pages, instead of a style sheet in the picture.
  func document(
    width: Double, height: Double, title: String, isInPage: Bool = false
  ) -> String {
    let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    let box = "viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\""
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) \(box) role=\"img\""
      + " font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\">\n"
      + "<title>\(Self.escaped(title))</title>\n\(isInPage ? "" : style)\(body)</svg>\n"
  }

  private var style: String {
    let rules = colors.sorted { $0.name < $1.name }.map(\.darkRules)
    return "<style>@media (prefers-color-scheme:dark){\(rules.joined())}</style>\n"
  }

  /// A text without markup; control characters, which XML forbids, become spaces, and what would
  /// turn the direction of the text around it is written out, such as `\u{202E}`.
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
      case "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func number(_ value: Double) -> String {
    NumberText.shortest((value * 100).rounded() / 100)
  }
}
