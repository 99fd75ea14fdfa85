internal import Evaluation
package import PoseModel

struct ThresholdEvidence: Hashable, Sendable {
  let fix: Fix

  private static let top = 36.0
  private static let bars = 110.0
  private static let gap = 22.0
  private static let line = 80.0
  private static var height: Double { top + bars + gap + line }

  var html: HTML {
    guard let body else { return .empty }
    return "<section class=\"panel evidence\"><h2>\(title)</h2>\n\(body)</section>\n"
  }

  var folded: HTML {
    guard let body else { return .empty }
    let title = fix.evidence?.distribution.map { "Why: \($0.measurement) against \(fix.parameter)" }
    return Fold(
      title: title ?? "Why: \(fix.parameter)", note: fix.meaning,
      body: "<div class=\"evidence\">\(body)</div>"
    ).html
  }

  private var title: HTML {
    fix.evidence?.distribution.map {
      "Why: <code>\($0.measurement)</code> against <code>\(fix.parameter)</code>"
    } ?? "Why: <code>\(fix.parameter)</code>"
  }

  private var body: HTML? {
    guard let evidence = fix.evidence, evidence.curve.count > 1 else { return nil }
    let labels = evidence.distribution?.classes.map(\.label) ?? []
    return """
      <p class="note">\(note(evidence))</p>
      <div class="because"><div><div class="plot">\(plot(evidence))</div>
      \(labels.isEmpty ? .empty : ClassChip.legend(labels))</div>
      <div><h3>If you move <code>\(fix.parameter)</code> from \(value(fix.from)) to \
      \(value(fix.to))</h3>
      \(changes)\(people)
      <p>\(prose: fix.advice.sentence)</p>
      \(CopyLine(lines: fix.command.lines).html)</div></div>

      """
  }

  private func note(_ evidence: Fix.Evidence) -> String {
    let bars =
      evidence.distribution.map { part in
        "Above: scored seconds by label"
          + (part.missingSeconds >= 0.05
            ? "; \(NumberText.fixed(part.missingSeconds, 1)) s without a value" : "") + ". Below"
      } ?? "The curve"
    return
      "\(bars): how much of the time \(fix.stream.rawValue) is right at each value; green values "
      + "are equally good."
  }

  // MARK: The plot

  private func scale(_ evidence: Fix.Evidence) -> BarScale {
    if let part = evidence.distribution, part.count > 1 {
      return BarScale(range: part.start...part.end)
    }
    let values = evidence.curve.map(\.value)
    return BarScale(range: (values.min() ?? 0)...(values.max() ?? 1))
  }

  private func plot(_ evidence: Fix.Evidence) -> HTML {
    let scale = scale(evidence)
    let sign = evidence.distribution?.sign ?? 1
    let bars = evidence.distribution.map { self.bars($0, scale) } ?? .empty
    return """
      <svg height="\(Int(Self.height + 22))" role="img" \
      aria-label="\(fix.parameter): now \(value(fix.from)), proposed \(value(fix.to))">\
      \(bars)\(curve(evidence, scale, sign))\
      \(limit("now", fix.from, sign, scale, y: 12))\(limit("try", fix.to, sign, scale, y: 28))\
      \(ticks(scale))</svg>
      """
  }

  private func bars(_ part: Fix.Distribution, _ scale: BarScale) -> HTML {
    let sums = (0..<part.count).map { bin in part.classes.reduce(0) { $0 + $1.seconds[bin] } }
    let most = BarScale.roundEnd(sums.max() ?? 1)
    let floor = Self.top + Self.bars
    var marks: HTML = """
      <line class="grid" x1="0" x2="100%" y1="\(text(floor))" y2="\(text(floor))"/>\
      <text x="-8" y="\(text(floor))" text-anchor="end">0 s</text>\
      <line class="grid" x1="0" x2="100%" y1="\(text(Self.top))" y2="\(text(Self.top))"/>\
      <text x="-8" y="\(text(Self.top + 4))" text-anchor="end">\(NumberText.short(most)) s</text>
      """
    var floors = [Double](repeating: floor, count: part.count)
    for time in part.classes {
      var rows: HTML = .empty
      for (bin, seconds) in time.seconds.enumerated() where seconds > 0 {
        let height = Self.bars * seconds / most
        floors[bin] -= height
        let from = part.start + part.width * Double(bin)
        rows += """
          <rect \(scale.stretch(from, from + part.width)) y="\(text(floors[bin]))" \
          height="\(text(height))"><title>\(time.label): \(NumberText.fixed(seconds, 1)) s</title></rect>
          """
      }
      marks += "<g class=\"in-\(time.label)\">\(rows)</g>\n"
    }
    return marks
  }

  private func curve(_ evidence: Fix.Evidence, _ scale: BarScale, _ sign: Double) -> HTML {
    let points = evidence.curve.compactMap { point in
      point.right.map { (x: sign * point.value, right: $0, value: point.value) }
    }.filter { scale.range.contains($0.x) }
    let shares = points.map(\.right)
    guard let least = shares.min(), let most = shares.max() else { return .empty }
    let low = (least * 20).rounded(.down) / 20
    let high = max((most * 20).rounded(.up) / 20, low + 0.05)
    let bottom = Self.height
    func y(_ share: Double) -> String { text(bottom - Self.line * (share - low) / (high - low)) }
    let good = [fix.asGood.lowerBound, fix.asGood.upperBound].map { sign * $0 }
    var marks: HTML = """
      <rect class="plateau" \(scale.stretch(good[0], good[1])) y="\(text(bottom - Self.line))" \
      height="\(text(Self.line))"/>\
      <line class="grid" x1="0" x2="100%" y1="\(y(low))" y2="\(y(low))"/>\
      <text x="-8" y="\(y(low))" text-anchor="end">\(NumberText.wholePercent(low))</text>\
      <line class="grid" x1="0" x2="100%" y1="\(y(high))" y2="\(y(high))"/>\
      <text x="-8" y="\(y(high))" dy="4" text-anchor="end">\(NumberText.wholePercent(high))</text>
      """
    let way = points.map { point in
      let up = 100 - 100 * (point.right - low) / (high - low)
      return "\(NumberText.fixed(scale.percent(point.x), 2)),\(NumberText.fixed(up, 2))"
    }.joined(separator: " ")
    marks += """
      <svg y="\(text(bottom - Self.line))" width="100%" height="\(text(Self.line))" \
      viewBox="0 0 100 100" preserveAspectRatio="none"><polyline class="way-line" points="\(way)"/></svg>
      """
    for point in points {
      marks += """
        <circle class="point" cx="\(scale.place(point.x))" cy="\(y(point.right))">\
        <title>\(value(point.value)): \(NumberText.percent(point.right))</title></circle>
        """
    }
    return marks
  }

  private func limit(
    _ word: String, _ limit: Double, _ sign: Double, _ scale: BarScale, y: Int
  ) -> HTML {
    let isLeft = scale.percent(sign * limit) < 70
    return """
      <line class="limit \(word)" x1="\(scale.place(sign * limit))" \
      x2="\(scale.place(sign * limit))" y1="\(y - 10)" y2="\(text(Self.height))"/>\
      <text class="limit-name \(word)" x="\(scale.place(sign * limit))" dx="\(isLeft ? 6 : -6)" \
      y="\(y)" text-anchor="\(isLeft ? "start" : "end")">\(word) \(value(limit))</text>
      """
  }

  private func ticks(_ scale: BarScale) -> HTML {
    let width = scale.range.upperBound - scale.range.lowerBound
    let step = BarScale.roundEnd(width / 6)
    var value = (scale.range.lowerBound / step).rounded(.up) * step
    var marks: HTML = .empty
    while value <= scale.range.upperBound {
      let name = self.value((value / step).rounded() * step)
      marks += """
        <text x="\(scale.place(value))" y="\(text(Self.height + 18))" text-anchor="middle">\
        \(name)</text>
        """
      value += step
    }
    return marks
  }

  // MARK: What the change does

  private var changes: HTML {
    var rows: [HTML] = AnswerStream.allCases.compactMap { stream in
      fix.right[stream].map { right in
        row(
          "\(stream.rawValue) right",
          "\(NumberText.percent(right.before)) → \(NumberText.percent(right.after))", right.change)
      }
    }
    let rate = fix.falseTransitionsPerMinute
    rows.append(
      row(
        "\(fix.stream.rawValue), false transitions",
        "\(rate.before.text(1)) → \(rate.after.text(1)) per minute",
        (rate.before.number ?? 0) - (rate.after.number ?? 0)))
    return "<dl class=\"effects\">\n\(rows)</dl>\n"
  }

  private func row(_ name: String, _ text: String, _ change: Double) -> HTML {
    let tone = change > 5e-4 ? "good" : change < -5e-4 ? "bad" : "dim"
    return "<div><dt>\(name)</dt><dd class=\"\(tone)\">\(text)</dd></div>\n"
  }

  private var people: HTML {
    guard fix.people.count > 1 else { return .empty }
    let people = fix.people.sorted { $0.right.change.magnitude > $1.right.change.magnitude }
    let all: [HTML] = people.map { person in
      let before = NumberText.wholePercent(person.right.before)
      let after = NumberText.wholePercent(person.right.after)
      let tone = person.right.change > 1e-9 ? "good" : person.right.change < -1e-9 ? "bad" : "dim"
      return """
        <li><b>\(person.subject ?? "unnamed")</b> <span class="\(tone)">\
        \(before == after ? after : "\(before) → \(after)")</span></li>
        """
    }
    return all.list(
      "ul class=\"each\"", open: Dumbbells.openCount, "person", plural: "people")
  }

  private func value(_ value: Double) -> String {
    ParameterText.of((value * 1e6).rounded() / 1e6, unit: fix.unit)
  }

  private func text(_ pixels: Double) -> String { NumberText.fixed(pixels, 1) }
}

struct ThresholdList: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    let name: String
    let before: String
    let after: String
    let isChanged: Bool
    let why: String
    var place: Place?
  }

  struct Place: Hashable, Sendable {
    let range: ClosedRange<Double>
    let plateau: ClosedRange<Double>?
    let text: String
    let before: Double
    let after: Double
  }

  let rows: [Row]

  var html: HTML {
    guard !rows.isEmpty else { return .empty }
    return """
      <ol class="thresholds">
      <li class="axis" aria-hidden="true"><span>threshold</span><span class="n">yours</span>\
      <span class="n">use</span><span>as good as the best</span><span>decision</span></li>
      \(rows.map(row))</ol>

      """
  }

  private func row(_ row: Row) -> HTML {
    let word: HTML = row.isChanged ? "<b class=\"good\">✓ change</b>" : "<b>= keep</b>"
    return """
      <li class="\(row.isChanged ? "changed" : "kept")"><code>\(row.name)</code>\
      <span class="n"><span class="word">yours </span>\(row.before)</span>\
      <span class="n use"><span class="word">use </span>\(row.after)</span>\
      <span class="reach">\(bar(row))</span><span>\(word) \(prose: row.why)</span></li>

      """
  }

  private func bar(_ row: Row) -> HTML {
    guard let place = row.place else { return .empty }
    let scale = BarScale(range: place.range)
    let level = place.plateau.map { scale.span($0, "level", y: 7) } ?? .empty
    let from = place.before == place.after ? nil : place.before
    return """
      <svg height="18" aria-hidden="true">\(BarScale.track(y: 7, isThick: true))\(level)\
      \(scale.dot("from", from, y: 9))\(scale.dot("to", place.after, y: 9))</svg>\
      <small>\(place.text)</small>
      """
  }
}

struct TradeList: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    let settings: String
    let alike: [String]
    let value: Double?
    let text: String
    let gained: [String]
    let lost: [String]
    let obstacle: String
    let isPicked: Bool
  }

  let metric: String
  let rows: [Row]

  var html: HTML {
    guard !rows.isEmpty else { return .empty }
    let values = rows.compactMap(\.value).filter(\.isFinite)
    let axis = PlotAxis(values)
    let items: [HTML] = rows.map { row($0, axis) }
    return """
      <ol class="trades">
      <li class="axis" aria-hidden="true"><span>settings</span><span>\(metric)</span>\
      <span class="ends"><span>\(axis.text(axis.low))</span><span>\(axis.text(axis.high))</span>\
      </span><span>against the best</span></li>
      \(items)</ol>

      """
  }

  private func row(_ row: Row, _ axis: PlotAxis) -> HTML {
    let scale = BarScale(range: axis.low...axis.high)
    let marks: HTML = "\(BarScale.track(y: 8))\(scale.dot("dot", row.value, y: 9))"
    let alike: HTML =
      row.alike.isEmpty
      ? .empty
      : """
      <details><summary>\(NumberText.count(row.alike.count, "more configuration")) with the same numbers\
      </summary><ul>\(row.alike.map { "<li>\($0)</li>" as HTML })</ul></details>
      """
    let gains = row.gained.joined(separator: ", ")
    let losses = row.lost.joined(separator: ", ")
    let gained: HTML =
      row.gained.isEmpty ? .empty : "<span class=\"good\">▲ better: \(prose: gains)</span>"
    let lost: HTML =
      row.lost.isEmpty ? .empty : "<span class=\"bad\">▼ worse: \(prose: losses)</span>"
    let rest: HTML = row.isPicked ? "<b>✓ the best</b>" : "nothing better or worse"
    let obstacle: HTML =
      row.obstacle.isEmpty ? .empty : "<span class=\"bad\">✕ \(row.obstacle)</span>"
    return """
      <li\(HTML(markup: row.isPicked ? " class=\"best\"" : ""))><span>\(row.settings)\(alike)</span>\
      <span class="n">\(row.text)</span><svg height="18" aria-hidden="true">\(marks)</svg>\
      <span class="trade">\(gained)\(lost)\(obstacle)\
      \(gained.isEmpty && lost.isEmpty && obstacle.isEmpty ? rest : .empty)</span></li>

      """
  }
}

struct RuleList: Hashable, Sendable {
  struct Rule: Hashable, Sendable {
    let verdict: Verdict
    let name: String
    let numbers: String
    let difference: String
    let why: [String]
  }

  let rules: [Rule]

  var html: HTML {
    guard !rules.isEmpty else { return .empty }
    let items: [HTML] = rules.map { rule in
      let why: [HTML] = rule.why.filter { !$0.isEmpty }.map { "<li>\(prose: $0)</li>\n" }
      let difference: HTML =
        rule.difference.isEmpty ? .empty : "<span class=\"dim\">\(rule.difference)</span>"
      return """
        <li class="\(rule.verdict.state.rawValue)"><div>\(rule.verdict.pill)</div>
        <div><h3>\(rule.name)</h3><p class="n">\(rule.numbers)</p>\(difference)</div>
        <ul class="why">
        \(why)</ul></li>

        """
    }
    return "<ol class=\"rules\">\n\(items)</ol>\n"
  }
}

package struct PoseSketch: Hashable, Sendable, Codable {
  struct Bone: Hashable, Sendable, Codable {
    let side: BodySide
    /// The right and up coordinates of each end, in millimeters or thousandths of the image's
    /// height.
    let line: [Int]
  }

  let time: Seconds
  let bones: [Bone]
  let head: [Int]?

  private enum CodingKeys: String, CodingKey {
    case time = "t_s"
    case bones, head
  }

  /// Sketches the nearest frame with a pose and an up direction; nil if the 100 nearest poses have
  /// none.
  package init?(_ recording: Recording, near frame: Int) {
    let frames = (0..<recording.frameCount).filter(recording.hasPose).sorted {
      (abs($0 - frame), $0) < (abs($1 - frame), $1)
    }
    for frame in frames.prefix(Self.tries) {
      guard let body = FigureBody(recording, frame: frame) else { continue }
      self.init(body, time: recording.times[frame])
      return
    }
    return nil
  }

  private static let tries = 100

  private init(_ body: FigureBody, time: Double) {
    let (right, up) = FigureProjection.side(of: body)
    func point(_ position: Vector3) -> [Int] {
      [position.dot(right), position.dot(up)].map { Int((1000 * $0).rounded()) }
    }
    self.time = Seconds(time)
    bones = body.strokes { $0.dot(right.cross(up)) }.compactMap { stroke in
      guard let a = body[stroke.from], let b = body[stroke.to] else { return nil }
      return Bone(side: stroke.side, line: point(a) + point(b))
    }
    head = body.head.map(point)
  }

  func svg(title: String) -> HTML {
    let lines = bones.map { $0.line.map(Double.init) }.filter { $0.count == 4 }
    let head = head.flatMap { $0.count == 2 ? $0.map(Double.init) : nil }
    let xs = lines.flatMap { [$0[0], $0[2]] } + (head.map { [$0[0]] } ?? [])
    let ys = lines.flatMap { [$0[1], $0[3]] } + (head.map { [$0[1]] } ?? [])
    guard let left = xs.min(), let right = xs.max(), let low = ys.min(), let high = ys.max(),
      right > left || high > low
    else { return .empty }
    let (width, height, edge) = (320.0, 200.0, 24.0)
    let scale = min(
      (width - 2 * edge) / max(1, right - left), (height - 2 * edge) / max(1, high - low))
    func point(_ x: Double, _ y: Double) -> SVGCanvas.Point {
      SVGCanvas.Point(
        x: width / 2 + (x - (left + right) / 2) * scale,
        y: height / 2 - (y - (low + high) / 2) * scale)
    }
    var canvas = SVGCanvas()
    for bone in bones where bone.line.count == 4 {
      let ends = bone.line.map(Double.init)
      canvas.line(
        point(ends[0], ends[1]), point(ends[2], ends[3]), color: bone.side.color, width: 4.5)
    }
    if let head {
      canvas.disk(point(head[0], head[1]), radius: 9, color: Theme.surface, outline: Theme.middle)
    }
    return HTML(markup: canvas.document(width: width, height: height, title: title, isInPage: true))
  }
}

struct SettingMark: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case use
    case own
    case found
    case usual
  }

  let kind: Kind
  let text: String

  var key: PlotKey { PlotKey(mark: shape(x: "50%", y: "50%"), text: text) }

  func shape(x: String, y: String) -> HTML {
    let radius = kind == .usual ? 3 : 6
    return """
      <circle class="spot \(kind.rawValue)" cx="\(x)" cy="\(y)" r="\(radius)">\
      <title>\(text)</title></circle>
      """
  }
}
