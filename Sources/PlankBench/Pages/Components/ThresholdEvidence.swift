internal import Evaluation
internal import PoseModel

/// The measurement by true class above the score of every value.
struct ThresholdEvidence: Hashable, Sendable {
  let fix: Fix

  private static let top = 36.0
  private static let bars = 150.0
  private static let gap = 22.0
  private static let line = 96.0
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
        "Above: scored seconds by true class"
          + (part.missingSeconds >= 0.05
            ? "; \(NumberText.fixed(part.missingSeconds, 1)) s have no value" : "") + ". Below"
      } ?? "The curve"
    return
      "\(bars): how much of the time the \(fix.stream.rawValue) is right at every value; green "
      + "values are as good."
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
          "\(NumberText.percent(right.before)) → \(NumberText.percent(right.after))",
          right.change)
      }
    }
    let flickers = fix.flickersPerMinute
    rows.append(
      row(
        "\(fix.stream.rawValue) flickers",
        "\(flickers.before.text(1)) → \(flickers.after.text(1)) per minute",
        (flickers.before.number ?? 0) - (flickers.after.number ?? 0)))
    return "<dl class=\"effects\">\n\(rows)</dl>\n"
  }

  private func row(_ name: String, _ text: String, _ change: Double) -> HTML {
    let tone = change > 5e-4 ? "good" : change < -5e-4 ? "bad" : "dim"
    return "<div><dt>\(name)</dt><dd class=\"\(tone)\">\(text)</dd></div>\n"
  }

  private var people: HTML {
    guard fix.people.count > 1 else { return .empty }
    let all: [HTML] = fix.people.map { person in
      let before = NumberText.wholePercent(person.right.before)
      let after = NumberText.wholePercent(person.right.after)
      let tone = person.right.change > 1e-9 ? "good" : person.right.change < -1e-9 ? "bad" : "dim"
      return """
        <li><b>\(person.subject ?? "unnamed")</b> <span class="\(tone)">\
        \(before == after ? after : "\(before) → \(after)")</span></li>
        """
    }
    return "<ul class=\"each\">\(all)</ul>\n"
  }

  private func value(_ value: Double) -> String {
    ParameterText.of((value * 1e6).rounded() / 1e6, unit: fix.unit)
  }

  private func text(_ pixels: Double) -> String { NumberText.fixed(pixels, 1) }
}
