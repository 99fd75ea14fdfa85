struct ThemeColor: Hashable, Sendable {
  let name: String
  let light: String
  let dark: String

  static func fixed(_ color: String) -> ThemeColor {
    ThemeColor(name: "", light: color, dark: color)
  }

  var darkRules: String { ".fill-\(name){fill:\(dark)}.stroke-\(name){stroke:\(dark)}" }
}

/// The one palette of figures, reports and the labeling page.
///
/// Texts have a contrast of at least 4.5 to their background and marks one of at least 3, as the
/// Web Content Accessibility Guidelines ask. The states of one ribbon differ by at least 0.09 in
/// OKLab, for readers who see all colors and for those who lack one kind of cone.
enum Theme {
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
  static let curve = ThemeColor(name: "curve", light: "#1f3a5f", dark: "#b8d4ff")
  static let good = ThemeColor(name: "good", light: "#166b4f", dark: "#6fd0a8")
  static let goodSurface = ThemeColor(name: "good-surface", light: "#e3f4ec", dark: "#14332a")
  static let badSurface = ThemeColor(name: "bad-surface", light: "#fdeceb", dark: "#3d1d1b")
  static let unsure = ThemeColor(name: "unsure", light: "#4b5563", dark: "#b6bdc8")
  static let unsureSurface = ThemeColor(name: "unsure-surface", light: "#eceff3", dark: "#262b34")
  static let warning = ThemeColor(name: "warning", light: "#8a5a00", dark: "#ffd27a")
  static let warningSurface = ThemeColor(
    name: "warning-surface", light: "#fff3d6", dark: "#3a2e12")
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
      floor, hole, threshold, curve, good, goodSurface, warning, warningSurface, badSurface, unsure,
      unsureSurface, plateau, recommended,
    ]
    + states.keys.sorted().flatMap { state in
      [states[state], ink(on: state)].compactMap(\.self)
    }

  static var figureCSS: String {
    let colors = all + [elbow, shoulder, others] + series
    return "@media screen and (prefers-color-scheme:dark){"
      + colors.map(\.darkRules).joined() + "}\n"
  }

  /// The rules for elements in the color of a state: `on-high` for a ground with its ink, `in-high`
  /// for a mark in a picture, `ink-high` for text on it.
  static var stateCSS: String {
    states.keys.sorted().map { state in
      ".on-\(state){background:var(--class-\(state));color:var(--ink-\(state))}"
        + ".in-\(state){fill:var(--class-\(state))}.ink-\(state){fill:var(--ink-\(state))}"
    }.joined() + "\n"
  }

  static var css: String {
    func block(_ color: (ThemeColor) -> String) -> String {
      all.map { "--\($0.name):\(color($0))" }.joined(separator: ";")
    }
    return ":root{color-scheme:light dark;\(block(\.light))}\n"
      + "@media screen and (prefers-color-scheme:dark){:root{\(block(\.dark))}}\n"
  }
}
