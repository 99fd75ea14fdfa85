/// Pictures in characters, for a person at a terminal with colors.
///
/// Colors are of the 256 that terminals have had since xterm: 16 + 36 r + 6 g + b for parts of 0 to
/// 5. A ground brings its own ink, so that texts stand out on light and dark terminals.
enum TerminalSketch {
  struct Ground: Hashable {
    let color: Int
    let ink: Int
  }

  private static let white = 231
  private static let black = 16
  private static let greens = [22, 28]
  private static let reds = [52, 88, 124, 160]

  static func painted(_ text: String, on ground: Ground) -> String {
    "\u{1B}[48;5;\(ground.color);38;5;\(ground.ink)m\(text)\u{1B}[0m"
  }

  /// A text on the color of a heat map, from pale (0) to dark (1).
  static func painted(_ text: String, onShare share: Double) -> String {
    let color = nearest(HeatPanel.color(share: share).light)
    return painted(text, on: Ground(color: color, ink: share > 0.5 ? white : black))
  }

  /// The ground of a matrix's cell: green where it is right, red where it is wrong, the stronger
  /// the larger its share; nil below one in a hundred.
  static func ground(of cell: StyledText) -> Ground? {
    guard cell.shade >= 0.01 else { return nil }
    let steps = cell.tone == .bad ? reds : greens
    let step = min(Int(cell.shade * Double(steps.count)), steps.count - 1)
    return Ground(color: steps[step], ink: white)
  }

  static func ground(ofState state: String) -> Ground? {
    guard let color = Theme.color(of: state) else { return nil }
    return Ground(
      color: nearest(color.light),
      ink: Theme.ink(on: state).light == "#ffffff" ? white : black)
  }

  private static func nearest(_ hex: String) -> Int {
    let number = Int(hex.dropFirst(), radix: 16) ?? 0
    let parts = [number >> 16 & 255, number >> 8 & 255, number & 255].map { part in
      levels.indices.min { abs(levels[$0] - part) < abs(levels[$1] - part) } ?? 0
    }
    return 16 + 36 * parts[0] + 6 * parts[1] + parts[2]
  }

  private static let levels = [0, 95, 135, 175, 215, 255]

  /// Numbers as bars of eight heights, a blank where there is none; all of one height where they
  /// are equal.
  static func sparkline(_ values: [Double?]) -> String {
    let known = values.compactMap(\.self)
    guard let low = known.min(), let high = known.max() else { return "" }
    return String(
      values.map { value -> Character in
        guard let value else { return " " }
        let share = high > low ? (value - low) / (high - low) : 0.5
        return bars[min(Int(share * Double(bars.count)), bars.count - 1)]
      })
  }

  private static let bars = Array("▁▂▃▄▅▆▇█")
}

extension Timeline {
  var sketch: String {
    let width = ribbons.map(\.name.count).max() ?? 0
    let step = (end - start) / Double(columns)
    let lines = ribbons.map { ribbon in
      let cells = (0..<columns).map { column in
        Self.cell(ribbon.state(at: start + (Double(column) + 0.5) * step))
      }
      let name = PrintableText.of(ribbon.name)
      return "  " + name + String(repeating: " ", count: max(0, width - name.count) + 2)
        + cells.joined()
    }
    let (from, to) = (NumberText.fixed(start, 1), NumberText.fixed(end, 1) + " s")
    let room = max(1, columns - from.count - to.count)
    let scale = String(repeating: " ", count: width + 4) + from
    return (lines + [scale + String(repeating: " ", count: room) + to, legend])
      .map { $0 + "\n" }.joined()
  }

  private var legend: String {
    let used = Set(ribbons.flatMap(\.spans).map(\.state))
    let states = TimelineStyle.all.filter { used.contains($0.state) }
    return states.map {
      (width: $0.state.count + 4, text: "  " + Self.cell($0.state) + " " + $0.state)
    }
    .reduce(into: [(width: Int, text: String)]()) { lines, entry in
      guard let last = lines.last, last.width + entry.width <= TextRenderer.standardWidth else {
        return lines.append(entry)
      }
      lines[lines.count - 1] = (last.width + entry.width, last.text + entry.text)
    }
    .map(\.text).joined(separator: "\n")
  }

  private static func cell(_ state: String) -> String {
    guard let letter = TimelineStyle.of(state)?.letter,
      let ground = TerminalSketch.ground(ofState: state)
    else { return "-" }
    return TerminalSketch.painted(String(letter), on: ground)
  }
}
