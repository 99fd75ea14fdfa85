/// What is better for the second side lies to the right, whichever direction a metric has.
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
    var marks: HTML = "<line class=\"zero\" x1=\"50%\" x2=\"50%\" y1=\"0\" y2=\"20\"/>"
    if let interval = row.interval {
      marks += """
        <rect class="span" \(scale.stretch(interval.lowerBound, interval.upperBound)) \
        y="8" height="4" rx="2"/>
        """
    }
    if let gain = row.gain {
      marks += "<circle class=\"dot\" cx=\"\(scale.place(gain))\" cy=\"10\" r=\"5\"/>"
    }
    return "<svg height=\"20\" aria-hidden=\"true\">\(marks)</svg>"
  }
}
