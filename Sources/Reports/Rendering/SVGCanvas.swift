/// A picture whose texts and attributes are all escaped.
///
/// Elements have the colors of light pages, which a style sheet replaces for readers who prefer
/// dark pages.
package struct SVGCanvas {
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
  private var hasDrawings = false

  mutating func line(
    _ a: Point, _ b: Point, color: ThemeColor, width: Double, dash: String? = nil
  ) {
    body += "<line x1=\"\(Self.number(a.x))\" y1=\"\(Self.number(a.y))\""
    body += " x2=\"\(Self.number(b.x))\" y2=\"\(Self.number(b.y))\"" + paint(stroke: color)
    body += " stroke-width=\"\(Self.number(width))\" stroke-linecap=\"round\""
    if let dash { body += " stroke-dasharray=\"\(dash)\"" }
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
    let left = Point(x: b.x - head * ux + head * 0.5 * uy, y: b.y - head * uy - head * 0.5 * ux)
    let right = Point(x: b.x - head * ux - head * 0.5 * uy, y: b.y - head * uy + head * 0.5 * ux)
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

  /// `kind` is the drawing's class in the style sheet.
  mutating func drawing(
    _ drawing: HTML, _ kind: String, at point: Point, width: Double, height: Double
  ) {
    body += "<g class=\"\(kind)\"><svg overflow=\"visible\" x=\"\(Self.number(point.x))\""
    body += " y=\"\(Self.number(point.y))\" width=\"\(Self.number(width))\""
    body += " height=\"\(Self.number(height))\">\(drawing.text)</svg></g>\n"
    hasDrawings = true
  }

  /// Returns the lower edge.
  mutating func keys(_ keys: [PlotKey], at point: Point, width: Double) -> Double {
    guard !keys.isEmpty else { return point.y }
    var place = point
    for key in keys {
      let size = Double(key.size)
      let length = 24 + 6.6 * Double(key.text.count) + 20
      if place.x > point.x, place.x + length > point.x + width {
        place = Point(x: point.x, y: place.y + 21)
      }
      drawing(key.mark, "legend", at: place, width: size, height: size)
      let words = Point(x: place.x + size + 5, y: place.y + size / 2 + 4)
      text(key.text, at: words, .init(size: 12, color: Theme.dim))
      place.x += length
    }
    return place.y + 21
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

  /// `draw` begins at the given height and returns the lower edge.
  static func picture(
    _ title: String, _ subtitle: String, width: Double,
    _ draw: (inout SVGCanvas, Double) -> Double
  ) -> String {
    var content = SVGCanvas()
    content.text(title, at: .init(x: 24, y: 36), .init(size: 18, isBold: true))
    content.text(subtitle, at: .init(x: 24, y: 58), .init(size: 12, color: Theme.dim))
    let height = draw(&content, 84) + 24
    var ground = SVGCanvas()
    ground.box(x: 0, y: 0, width: width, height: height, radius: 10, color: Theme.surface)
    content.body = ground.body + content.body
    content.colors.formUnion(ground.colors)
    return content.document(width: width, height: height, title: title)
  }

  /// In a page, `Theme.figureCSS` recolors the picture for readers who prefer dark pages;
  /// otherwise, a style sheet in the picture does.
  func document(width: Double, height: Double, title: String, isInPage: Bool = false) -> String {
    let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    let box = "viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\""
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) \(box) role=\"img\""
      + " font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\">\n"
      + "<title>\(Self.escaped(title))</title>\n\(isInPage ? "" : style)\(body)</svg>\n"
  }

  private var style: String {
    let rules = colors.sorted { $0.name < $1.name }.map(\.darkRules)
    let dark = "@media (prefers-color-scheme:dark){\(rules.joined())}"
    return "<style>\(hasDrawings ? Theme.drawingCSS : "")\(dark)</style>\n"
  }

  /// Control characters, which XML forbids, become spaces.
  ///
  /// Characters that would change the direction of the text around them become escapes, such as
  /// `\u{202E}`.
  package static func escaped(_ text: String) -> String {
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

struct PlotAxis: Hashable, Sendable {
  let low: Double
  let high: Double
  let ticks: [Double]
  let decimals: Int

  init(_ values: [Double], within limits: ClosedRange<Double>? = nil, most: Int = 5) {
    var low = values.min() ?? limits?.lowerBound ?? 0
    var high = values.max() ?? limits?.upperBound ?? 1
    if !(high > low) {
      let room = max(0.005 * low.magnitude, 0.005)
      (low, high) = (low - room, high + room)
    }
    let step = RoundStep(spanning: high - low, most: most)
    low = (low / step.size + 1e-9).rounded(.down) * step.size
    high = (high / step.size - 1e-9).rounded(.up) * step.size
    self.low = max(low, limits?.lowerBound ?? low)
    self.high = min(high, limits?.upperBound ?? high)
    ticks = step.multiples(from: self.low, to: self.high)
    decimals = step.decimals
  }

  func share(_ value: Double) -> Double { min(max((value - low) / (high - low), 0), 1) }

  func text(_ tick: Double) -> String { NumberText.fixed(tick, decimals) }
}

struct RoundStep: Hashable, Sendable {
  let size: Double
  let decimals: Int

  init(spanning length: Double, most: Int) {
    var (unit, decimals) = (1e-6, 6)
    while true {
      for step in [unit, 2 * unit, 5 * unit] where !(length / step > Double(most) + 1e-9) {
        size = decimals > 0 ? (step * 1e6).rounded() / 1e6 : step.rounded()
        self.decimals = max(decimals, 0)
        return
      }
      unit *= 10
      decimals -= 1
    }
  }

  func multiples(from low: Double, to high: Double) -> [Double] {
    let first = (low / size - 1e-6).rounded(.up)
    let last = (high / size + 1e-6).rounded(.down)
    guard first <= last else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * size }
  }
}

struct ThemeColor: Hashable, Sendable {
  let name: String
  let light: String
  let dark: String

  static func fixed(_ color: String) -> ThemeColor {
    ThemeColor(name: "", light: color, dark: color)
  }

  var darkRules: String { ".fill-\(name){fill:\(dark)}.stroke-\(name){stroke:\(dark)}" }
}

/// The palette of figures, reports and the labeling page.
///
/// Text has a contrast of at least 4.5 with its background, and marks have one of at least 3, as
/// the Web Content Accessibility Guidelines require. The states of one ribbon differ by at least
/// 0.09 in OKLab, for readers who see all colors and for those who lack one kind of cone.
package enum Theme {
  static let page = ThemeColor(name: "page", light: "#f3f4f6", dark: "#101216")
  static let surface = ThemeColor(name: "surface", light: "#ffffff", dark: "#181b21")
  static let raised = ThemeColor(name: "raised", light: "#f7f8fa", dark: "#20242c")
  static let text = ThemeColor(name: "text", light: "#16181d", dark: "#eceef2")
  static let dim = ThemeColor(name: "dim", light: "#565d6b", dark: "#a6adba")
  static let line = ThemeColor(name: "line", light: "#c9ced8", dark: "#414855")
  static let hair = ThemeColor(name: "hair", light: "#e4e7ec", dark: "#2a2f39")
  static let accent = ThemeColor(name: "accent", light: "#1d5fd1", dark: "#7fb0ff")
  static let accentSurface = ThemeColor(name: "accent-surface", light: "#e8f0fd", dark: "#1d2b45")
  static let left = ThemeColor(name: "left", light: "#0072b2", dark: "#58b4ea")
  static let right = ThemeColor(name: "right", light: "#b04a06", dark: "#f5a25d")
  static let middle = ThemeColor(name: "middle", light: "#4b5563", dark: "#b6bdc8")
  static let floor = ThemeColor(name: "floor", light: "#dfe3ea", dark: "#2a2f39")
  static let hole = ThemeColor(name: "hole", light: "#c3c9d4", dark: "#3a414d")
  static let threshold = ThemeColor(name: "threshold", light: "#b3261e", dark: "#ff8a80")
  static let tile = ThemeColor(name: "tile", light: "#1f52a8", dark: "#93bdff")
  static let curve = ThemeColor(name: "curve", light: "#1f3a5f", dark: "#b8d4ff")
  static let good = ThemeColor(name: "good", light: "#166b4f", dark: "#6fd0a8")
  static let goodSurface = ThemeColor(name: "good-surface", light: "#e3f4ec", dark: "#14332a")
  static let badSurface = ThemeColor(name: "bad-surface", light: "#fdeceb", dark: "#3d1d1b")
  static let unsure = ThemeColor(name: "unsure", light: "#4b5563", dark: "#b6bdc8")
  static let unsureSurface = ThemeColor(name: "unsure-surface", light: "#eceff3", dark: "#262b34")
  static let warning = ThemeColor(name: "warning", light: "#8a5a00", dark: "#ffd27a")
  static let warningSurface = ThemeColor(name: "warning-surface", light: "#fff3d6", dark: "#3a2e12")
  static let elbow = ThemeColor(name: "elbow", light: "#6d28d9", dark: "#c4b5fd")
  static let shoulder = ThemeColor(name: "shoulder", light: "#0f6f68", dark: "#5eead4")
  static let plateau = ThemeColor(name: "plateau", light: "#cdeede", dark: "#16402f")
  static let recommended = ThemeColor(name: "recommended", light: "#c2330b", dark: "#ff8f6b")
  static let others = ThemeColor(name: "others", light: "#8a92a0", dark: "#737b89")
  private static let white = ThemeColor.fixed("#ffffff")
  private static let black = ThemeColor.fixed("#0b0d10")

  static let series: [ThemeColor] = [
    ("#0072b2", "#58b4ea"), ("#b3470c", "#f5a25d"), ("#00795c", "#48c9a2"),
    ("#a63a78", "#ea93c6"), ("#5b4ab8", "#a99bf5"), ("#7a5a00", "#e6c34a"),
    ("#a3251c", "#ff8a80"), ("#2f6f7d", "#7fd3e3"), ("#5c6b1e", "#b8cc66"),
    ("#7b3f1d", "#d3a184"),
  ].enumerated().map { index, pair in
    ThemeColor(name: "series-\(index + 1)", light: pair.0, dark: pair.1)
  }

  static func color(of state: String) -> ThemeColor? { states[state] }

  static func ink(on state: String) -> ThemeColor {
    ThemeColor(
      name: "ink-" + state, light: lightInks.contains(state) ? black.light : white.light,
      dark: darkInks.contains(state) ? white.dark : black.dark)
  }

  private static let lightInks: Set<String> = [
    "none", "idle", "ignore", "high", "sideRight", "aligned", "pike", "ended",
  ]
  private static let darkInks: Set<String> = ["none", "idle", "ignore", "forearm", "paused"]

  private static let states: [String: ThemeColor] = [
    "none": ("#d5dae1", "#39414e"), "forearm": ("#053b79", "#2b6ce3"),
    "high": ("#379bca", "#70d5f9"), "sideLeft": ("#8955d3", "#af8dd4"),
    "sideRight": ("#eb5489", "#eb5080"), "reverse": ("#654621", "#ebad46"),
    "ignore": ("#a9afba", "#5d6573"), "aligned": ("#519773", "#72b990"),
    "sag": ("#a83a30", "#c9564b"), "pike": ("#b17703", "#f9d495"),
    "idle": ("#d5dae1", "#39414e"), "active": ("#086a5c", "#99f2e0"),
    "paused": ("#6c2fb4", "#8f51c5"), "ended": ("#8c8f9d", "#b5b5b5"),
  ].reduce(into: [:]) { colors, state in
    colors[state.key] = ThemeColor(
      name: "class-" + state.key, light: state.value.0, dark: state.value.1)
  }

  static let all: [ThemeColor] =
    [
      page, surface, raised, text, dim, line, hair, accent, accentSurface, left, right, middle,
      floor, hole, threshold, tile, curve, good, goodSurface, warning, warningSurface, badSurface,
      unsure, unsureSurface, plateau, recommended,
    ]
    + states.keys.sorted().flatMap { state in [states[state], ink(on: state)].compactMap(\.self) }

  package static var figureCSS: String {
    let colors = all + [elbow, shoulder, others] + series
    return "@media screen and (prefers-color-scheme:dark){"
      + colors.map(\.darkRules).joined() + "}\n"
  }

  package static var stateCSS: String {
    states.keys.sorted().map { state in
      ".on-\(state){background:var(--class-\(state));color:var(--ink-\(state))}"
        + ".in-\(state){fill:var(--class-\(state))}.ink-\(state){fill:var(--ink-\(state))}"
    }.joined() + "\n"
  }

  /// Has colors in place of variables, for programs that do not support variables.
  fileprivate static var drawingCSS: String {
    let rules = stateCSS + PageFile.text("drawings.css")
    func filled(_ color: (ThemeColor) -> String) -> String {
      all.reduce(rules) { $0.replacing("var(--\($1.name))", with: color($1)) }
    }
    return filled(\.light) + figureCSS
      + "@media screen and (prefers-color-scheme:dark){\n\(filled(\.dark))}\n"
  }

  static var css: String {
    func block(_ color: (ThemeColor) -> String) -> String {
      all.map { "--\($0.name):\(color($0))" }.joined(separator: ";")
    }
    return ":root{color-scheme:light dark;\(block(\.light))}\n"
      + "@media screen and (prefers-color-scheme:dark){:root{\(block(\.dark))}}\n"
  }
}
