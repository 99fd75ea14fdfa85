package struct Timeline: Hashable, Sendable, Codable {
  struct Span: Hashable, Sendable, Codable {
    var start: Double
    var end: Double
    var state: String
    var caption: String?

    private enum CodingKeys: String, CodingKey {
      case start = "start_s"
      case end = "end_s"
      case state, caption
    }
  }

  package struct Ribbon: Hashable, Sendable, Codable {
    var name: String
    private(set) var spans: [Span] = []

    package init(_ name: String, times: [Double], end: Double, states: [String]) {
      self.name = name
      for (index, state) in states.enumerated() {
        let until = index + 1 < times.count ? times[index + 1] : end
        if let last = spans.last, last.state == state {
          spans[spans.count - 1].end = until
        } else {
          spans.append(Span(start: times[index], end: until, state: state))
        }
      }
    }

    package mutating func annotate(at time: Double, _ caption: String) {
      guard let index = spans.lastIndex(where: { $0.start <= time && time < $0.end }) else {
        return
      }
      spans[index].caption = caption
    }

    func state(at time: Double) -> String {
      spans.last { $0.start <= time && time < $0.end }?.state ?? ""
    }
  }

  package var title: String
  var subtitle: String
  var start: Double
  var end: Double
  var ribbons: [Ribbon]

  package init(title: String, subtitle: String, start: Double, end: Double, ribbons: [Ribbon]) {
    self.title = title
    self.subtitle = subtitle
    self.start = start
    self.end = end
    self.ribbons = ribbons
  }

  private enum CodingKeys: String, CodingKey {
    case title, subtitle
    case start = "start_s"
    case end = "end_s"
    case ribbons
  }

  var columns: Int {
    let names = ribbons.map { PrintableText.of($0.name).count }.max() ?? 0
    let room = TextRenderer.standardWidth - TableLayout.indent - names - TableLayout.gap
    return min(72, max(20, room))
  }

  var document: Document {
    var document = Document()
    guard end > start else { return document }
    let step = (end - start) / Double(columns)
    document.table(ribbons) { row, ribbon in
      let letters = (0..<columns).map { column in
        letter(ribbon.state(at: start + (Double(column) + 0.5) * step))
      }
      row.words("ribbon", ribbon.name, .strong)
      row.words(
        "\(NumberText.fixed(start, 1)) to \(NumberText.fixed(end, 1)) s, one letter per "
          + "\(NumberText.fixed(step, 2)) s", String(letters))
    }
    let used = Set(ribbons.flatMap(\.spans).map(\.state))
    let legend = TimelineStyle.all.filter { used.contains($0.state) }
      .map { "\($0.letter) \($0.state)" }.joined(separator: ", ")
    document.paragraph(legend + "; - nothing known.", .dim)
    return document
  }

  private func letter(_ state: String) -> Character { TimelineStyle.of(state)?.letter ?? "-" }

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
    }.reduce(into: [(width: Int, text: String)]()) { lines, entry in
      guard let last = lines.last, last.width + entry.width <= TextRenderer.standardWidth else {
        return lines.append(entry)
      }
      lines[lines.count - 1] = (last.width + entry.width, last.text + entry.text)
    }.map(\.text).joined(separator: "\n")
  }

  private static func cell(_ state: String) -> String {
    guard let letter = TimelineStyle.of(state)?.letter,
      let ground = TerminalSketch.ground(ofState: state)
    else { return "-" }
    return TerminalSketch.painted(String(letter), on: ground)
  }
}

struct TimelineStyle: Hashable {
  let state: String
  let letter: Character
  var color: ThemeColor { Theme.color(of: state) ?? Theme.hole }

  static let all: [TimelineStyle] = [
    ("none", "."), ("forearm", "F"), ("high", "H"), ("sideLeft", "L"), ("sideRight", "R"),
    ("reverse", "V"), ("aligned", "a"), ("sag", "s"), ("pike", "p"), ("idle", "."),
    ("active", "A"), ("paused", "P"), ("ended", "E"),
  ].map { TimelineStyle(state: $0.0, letter: $0.1) }

  static func of(_ state: String) -> TimelineStyle? { all.first { $0.state == state } }
}

/// Pictures in characters, for a terminal with colors.
///
/// Colors are from the 256 that terminals have had since xterm: 16 + 36 r + 6 g + b, with parts of
/// 0 to 5. Each background has its own text color, so that text stands out on light and dark
/// terminals.
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

  static func painted(_ text: String, onShare share: Double) -> String {
    painted(text, on: Ground(color: nearest(heat(share)), ink: share > 0.5 ? white : black))
  }

  private static func heat(_ share: Double) -> [Int] {
    let stops: [[Double]] = [
      [255, 247, 205], [127, 205, 187], [44, 127, 184], [8, 48, 107],
    ]
    let place = share * Double(stops.count - 1)
    let index = min(Int(place), stops.count - 2)
    return zip(stops[index], stops[index + 1]).map {
      Int(($0 + ($1 - $0) * (place - Double(index))).rounded())
    }
  }

  static func ground(of cell: StyledText) -> Ground? {
    guard cell.shade >= 0.01 else { return nil }
    let steps = cell.tone == .bad ? reds : greens
    let step = min(Int(cell.shade * Double(steps.count)), steps.count - 1)
    return Ground(color: steps[step], ink: white)
  }

  static func ground(ofState state: String) -> Ground? {
    guard let color = Theme.color(of: state) else { return nil }
    let number = Int(color.light.dropFirst(), radix: 16) ?? 0
    return Ground(
      color: nearest([number >> 16 & 255, number >> 8 & 255, number & 255]),
      ink: Theme.ink(on: state).light == "#ffffff" ? white : black)
  }

  private static func nearest(_ color: [Int]) -> Int {
    let parts = color.map { part in
      levels.indices.min { abs(levels[$0] - part) < abs(levels[$1] - part) } ?? 0
    }
    return 16 + 36 * parts[0] + 6 * parts[1] + parts[2]
  }

  private static let levels = [0, 95, 135, 175, 215, 255]

  /// Bars of eight heights, with a blank for a missing number; equal numbers all have one height.
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
