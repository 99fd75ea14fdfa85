internal import Evaluation

struct ScoreNumber: Hashable, Sendable {
  let title: String
  let value: Double?
  let text: String
  let unit: String
  let interval: ClosedRange<Double>?
  let range: ClosedRange<Double>
  let note: String
  var reached: Double?
  var reachedText = ""

  var html: HTML {
    let unit: HTML = unit.isEmpty ? .empty : "<small>\(unit)</small>"
    let reached: HTML = reachedText.isEmpty ? .empty : " <b class=\"reached\">▲ \(reachedText)</b>"
    return """
      <div class="number"><p class="name">\(title)</p><p class="value">\(text)\(unit)</p>\(bar)
      <p class="note">\(note)\(reached)</p></div>

      """
  }

  private var bar: HTML {
    guard let value else { return .empty }
    let at = place(value)
    var marks = BarScale.track(y: 5, isThick: true)
    if let interval {
      let from = place(interval.lowerBound)
      let width = place(interval.upperBound) - from
      marks += """
        <rect class="span" x="\(Self.percent(from))" y="5" \
        width="\(Self.percent(max(width, 0.5)))" height="4" rx="2"/>
        """
    }
    if let reached {
      marks += "<circle class=\"goal\" cx=\"\(Self.percent(place(reached)))\" cy=\"7\" r=\"3\"/>"
    }
    marks += "<circle class=\"dot\" cx=\"\(Self.percent(at))\" cy=\"7\" r=\"5\"/>"
    return "<svg class=\"scale\" height=\"14\" aria-hidden=\"true\">\(marks)</svg>"
  }

  private func place(_ value: Double) -> Double {
    let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    return 100 * min(1, max(0, share))
  }

  private static func percent(_ value: Double) -> String { NumberText.fixed(value, 2) + "%" }
}

struct ChangeNumber: Hashable, Sendable {
  let title: String
  let before: Double?
  let after: Double?
  let beforeText: String
  let afterText: String
  let range: ClosedRange<Double>
  let verdict: String
  let tone: StyledText.Tone
  let note: String
  var interval: ClosedRange<Double>?
  var isKept = false

  var html: HTML {
    """
    <div class="number change \(tone.rawValue)"><p class="name"><b>\(verdict)</b> \(title)</p>\
    <p class="value">\(value)</p>\(bar)\
    <p class="note">\(prose: note)</p></div>

    """
  }

  private var value: HTML {
    isKept
      ? "\(beforeText) <small>(→ \(afterText))</small>"
      : "<small>\(beforeText) →</small> \(afterText)"
  }

  private var bar: HTML {
    let scale = BarScale(range: range)
    let span = interval.map { scale.span($0, y: 3, height: 8) } ?? .empty
    return """
      <svg class="scale" height="14" aria-hidden="true">\(BarScale.track(y: 5, isThick: true))\
      \(span)\(scale.change(before, after, y: 7))</svg>
      """
  }
}

struct SideIntervals: Hashable, Sendable {
  struct Side: Hashable, Sendable {
    let name: String
    let value: Double?
    let interval: ClosedRange<Double>?
    let text: String
    let isChosen: Bool
  }

  let title: String
  let verdict: String
  let sides: [Side]

  var html: HTML {
    guard sides.contains(where: { $0.value != nil }) else { return .empty }
    let reach =
      sides.flatMap { [$0.value, $0.interval?.upperBound].compactMap(\.self) }
      .filter(\.isFinite).max() ?? 1
    let scale = BarScale(range: 0...BarScale.roundEnd(reach))
    let rows: [HTML] = sides.map { row($0, scale) }
    let verdict: HTML = verdict.isEmpty ? .empty : " <span>\(verdict)</span>"
    return """
      <div class="sides"><h3>\(title)\(verdict)</h3>
      <ol>\(rows)</ol></div>

      """
  }

  private func row(_ side: Side, _ scale: BarScale) -> HTML {
    let span = side.interval.map { scale.span($0, y: 7) } ?? .empty
    let marks: HTML = "\(BarScale.track(y: 8))\(span)\(scale.dot("dot", side.value, y: 9))"
    return """
      <li\(HTML(markup: side.isChosen ? " class=\"chosen\"" : ""))><span class="name">\(side.name)\
      </span><svg height="18" aria-hidden="true">\(marks)</svg>\
      <span class="n">\(side.text)</span></li>

      """
  }
}

struct Forest: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    let name: String
    var side = ""
    let before: String
    let after: String
    let difference: String
    let gain: Double?
    let interval: ClosedRange<Double>?
    let verdict: String
    let tone: StyledText.Tone
    let details: String
  }

  struct Group: Hashable, Sendable {
    let unit: String
    let rows: [Row]
  }

  let reference: String
  let candidate: String
  let groups: [Group]
  var isLarge = false

  var html: HTML {
    let shown = groups.filter { !$0.rows.isEmpty }
    guard !shown.isEmpty else { return .empty }
    return HTML(markup: shown.map { group($0).text }.joined())
  }

  private func group(_ group: Group) -> HTML {
    let reach =
      group.rows.flatMap { row in
        [row.gain, row.interval?.lowerBound, row.interval?.upperBound].compactMap { $0?.magnitude }
      }.filter(\.isFinite).max() ?? 0
    let end = BarScale.roundEnd(reach)
    let text = NumberText.short(end) + (group.unit.isEmpty ? "" : " " + group.unit)
    let rows: [HTML] = group.rows.map { row($0, BarScale(range: -end...end)) }
    return """
      <ol class="forest\(isLarge ? " large" : "")">
      <li class="axis" aria-hidden="true"><span class="gauge"><span>-\(text)</span>\
      <span>← \(reference) better</span><span>0</span><span>\(candidate) better →</span>\
      <span>+\(text)</span></span></li>
      \(rows)</ol>

      """
  }

  private func row(_ row: Row, _ scale: BarScale) -> HTML {
    let side: HTML = row.side.isEmpty ? .empty : " <b>\(row.side)</b>"
    return """
      <li class="\(row.tone.rawValue)" title="\(row.details)">\
      <span class="name"><code>\(row.name)</code>\(side)</span>\
      <span class="values">\(row.before) → <b>\(row.after)</b></span>\
      \(bar(row, scale))\
      <span class="n">\(row.difference)</span><span class="verdict-word">\(row.verdict)</span></li>

      """
  }

  private func bar(_ row: Row, _ scale: BarScale) -> HTML {
    let span = row.interval.map { scale.span($0, y: 8) } ?? .empty
    return """
      <svg height="20" aria-hidden="true"><line class="zero" x1="50%" x2="50%" y1="0" y2="20"/>\
      \(span)\(scale.dot("dot", row.gain, y: 10))</svg>
      """
  }
}

struct Dumbbells: Hashable, Sendable {
  struct Person: Hashable, Sendable {
    let name: String
    let before: Double?
    let after: Double?
    let text: String
    let gain: Double?
    let isChanged: Bool
  }

  static let openCount = 8

  let title: String
  let metric: String
  let reference: String
  let candidate: String
  let range: ClosedRange<Double>
  let people: [Person]
  var nouns = ["person", "people"]

  var html: HTML {
    guard people.count > 1 else { return .empty }
    let rows: [HTML] = people.map(row)
    let list = rows.list(
      "ol class=\"dumbbells\"", open: Self.openCount, nouns[0], plural: nouns[1])
    return """
      <section class="panel"><h2>\(title), \(nouns[0]) by \(nouns[0])</h2>
      <p class="note"><code>\(metric)</code>, worst change first: ○ \(reference), ● \(candidate)</p>
      \(list)</section>

      """
  }

  private func row(_ person: Person) -> HTML {
    let tone = !person.isChanged ? "same" : (person.gain ?? 0) < 0 ? "bad" : "good"
    let word = !person.isChanged ? "" : (person.gain ?? 0) < 0 ? "▼" : "▲"
    return """
      <li class="\(tone)"><span class="name" title="\(person.name)">\(person.name)</span>\(bar(person))\
      <span class="n">\(word) \(person.text)</span></li>

      """
  }

  private func bar(_ person: Person) -> HTML {
    let change = BarScale(range: range).change(person.before, person.after, y: 9)
    return "<svg height=\"18\" aria-hidden=\"true\">\(BarScale.track(y: 8))\(change)</svg>"
  }
}

struct ChangeMatrix: Hashable, Sendable {
  static let least = 0.05
  private static let strengths = 4

  private let title: String
  private let labels: [String]
  private let before: [[Double]]
  private let after: [[Double]]
  private let change: [[Double]]

  /// Nil unless both matrices have the same classes; `change` has the differences, row after row.
  init?(
    title: String, before: ConfusionMatrix<Double>, after: ConfusionMatrix<Double>,
    change: [[Double]]? = nil
  ) {
    let all = before.labels.indices
    let isWhole = change.map { rows in
      rows.count == all.count && rows.allSatisfy { $0.count == all.count }
    }
    guard before.labels == after.labels, isWhole ?? true else { return nil }
    let used = all.filter { label in
      [before, after].contains { $0.truthTotal(label) > 0 || $0.answerTotal(label) > 0 }
    }
    guard !used.isEmpty else { return nil }
    self.title = title
    labels = used.map { before.labels[$0] }
    self.before = used.map { row in used.map { before[row, $0] } }
    self.after = used.map { row in used.map { after[row, $0] } }
    self.change = used.map { row in
      used.map { change?[row][$0] ?? after[row, $0] - before[row, $0] }
    }
  }

  var html: HTML {
    guard greatest >= Self.least else {
      return "<div><h3>\(title)</h3>\n<p>Every cell is the same for both.</p></div>\n"
    }
    let head: [HTML] = labels.map { "<th scope=\"col\">\($0)</th>" }
    let rows: [HTML] = labels.indices.map { truth in
      let cells: [HTML] = labels.indices.map { cell(truth, $0) }
      return "<tr><th scope=\"row\">\(labels[truth])</th>\(cells)</tr>\n"
    }
    return """
      <div class="scroll" role="group" tabindex="0" aria-label="\(title): seconds won and lost">
      <table class="gains"><caption>\(title)</caption>
      <thead><tr><th class="corner">truth \\ answer</th>\(head)</tr></thead>
      <tbody>
      \(rows)</tbody></table></div>

      """
  }

  private var greatest: Double { change.joined().map(\.magnitude).max() ?? 0 }

  private func cell(_ truth: Int, _ answer: Int) -> HTML {
    let (first, second) = (before[truth][answer], after[truth][answer])
    let change = change[truth][answer]
    let words =
      "\(labels[truth]) answered as \(labels[answer]): \(NumberText.fixed(first, 2)) s → "
      + "\(NumberText.fixed(second, 2)) s"
    guard change.magnitude >= Self.least else {
      return "<td class=\"dim\" title=\"\(words)\">·</td>"
    }
    let isGood = (truth == answer) == (change > 0)
    let strength = Int((Double(Self.strengths) * change.magnitude / greatest).rounded(.up))
    return """
      <td class="\(isGood ? "won" : "lost") s\(max(1, min(strength, Self.strengths)))" \
      title="\(words)">\
      <span role="img" aria-label="\(words)">\(NumberText.signed(change, 1))</span></td>
      """
  }
}

struct BarScale: Hashable, Sendable {
  let range: ClosedRange<Double>

  func percent(_ value: Double) -> Double {
    let width = range.upperBound - range.lowerBound
    guard width > 0, value.isFinite else { return value > range.lowerBound ? 100 : 0 }
    return 100 * min(1, max(0, (value - range.lowerBound) / width))
  }

  func place(_ value: Double) -> String { Self.text(percent(value)) }

  func stretch(_ one: Double, _ other: Double) -> HTML {
    let ends = [percent(one), percent(other)].sorted()
    let width = Self.text(max(ends[1] - ends[0], 0.5))
    return "x=\"\(Self.text(ends[0]))\" width=\"\(width)\""
  }

  static func track(y: Int, isThick: Bool = false) -> HTML {
    isThick
      ? "<rect class=\"track\" x=\"0\" y=\"\(y)\" width=\"100%\" height=\"4\" rx=\"2\"/>"
      : "<rect class=\"track\" x=\"0\" y=\"\(y)\" width=\"100%\" height=\"2\"/>"
  }

  func span(_ ends: ClosedRange<Double>, _ kind: String = "span", y: Int, height: Int = 4) -> HTML {
    """
    <rect class="\(kind)" \(stretch(ends.lowerBound, ends.upperBound)) y="\(y)" \
    height="\(height)" rx="2"/>
    """
  }

  func dot(_ kind: String, _ value: Double?, y: Int) -> HTML {
    value.map { "<circle class=\"\(kind)\" cx=\"\(place($0))\" cy=\"\(y)\" r=\"5\"/>" } ?? .empty
  }

  func change(_ before: Double?, _ after: Double?, y: Int) -> HTML {
    var way: HTML = .empty
    if let before, let after {
      way = "<rect class=\"way\" \(stretch(before, after)) y=\"\(y - 2)\" height=\"4\"/>"
    }
    return "\(way)\(dot("from", before, y: y))\(dot("to", after, y: y))"
  }

  private static func text(_ percent: Double) -> String { NumberText.fixed(percent, 2) + "%" }

  static func roundEnd(_ magnitude: Double) -> Double {
    guard magnitude > 0, magnitude.isFinite else { return 1 }
    var power = 1e-9
    while power * 10 <= magnitude { power *= 10 }
    let steps = [1.0, 2, 5, 10].map { $0 * power }
    return steps.first { $0 >= magnitude * (1 - 1e-9) } ?? steps[3]
  }
}

/// Columns of equal width; a value between two tried values lies proportionally between their
/// columns.
struct StepScale: Hashable, Sendable {
  let values: [Double]

  func share(_ value: Double) -> Double? {
    guard let position = position(value), !values.isEmpty else { return nil }
    let share = (position + 0.5) / Double(values.count)
    return (0...1).contains(share) ? share : nil
  }

  private func position(_ value: Double) -> Double? {
    guard values.count > 1, value.isFinite else { return values == [value] ? 0 : nil }
    let next = values.firstIndex { $0 >= value } ?? values.count - 1
    let right = min(max(next, 1), values.count - 1)
    let step = values[right] - values[right - 1]
    guard step > 0 else { return nil }
    return Double(right) - (values[right] - value) / step
  }

  func labeled(most: Int) -> [Int] {
    let step = RoundStep(spanning: Double(values.count), most: max(most, 1))
    return Array(stride(from: 0, to: values.count, by: max(1, Int(step.size))))
  }
}
