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
    var marks: HTML = "<rect class=\"track\" x=\"0\" y=\"8\" width=\"100%\" height=\"2\"/>"
    if let interval = side.interval {
      marks += """
        <rect class="span" \(scale.stretch(interval.lowerBound, interval.upperBound)) \
        y="7" height="4" rx="2"/>
        """
    }
    if let value = side.value {
      marks += "<circle class=\"dot\" cx=\"\(scale.place(value))\" cy=\"9\" r=\"5\"/>"
    }
    return """
      <li\(HTML(markup: side.isChosen ? " class=\"chosen\"" : ""))><span class="name">\(side.name)\
      </span><svg height="18" aria-hidden="true">\(marks)</svg>\
      <span class="n">\(side.text)</span></li>

      """
  }
}
