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
    var marks: HTML = "<rect class=\"track\" x=\"0\" y=\"7\" width=\"100%\" height=\"4\" rx=\"2\"/>"
    if let plateau = place.plateau {
      marks += """
        <rect class="level" \(scale.stretch(plateau.lowerBound, plateau.upperBound)) \
        y="7" height="4" rx="2"/>
        """
    }
    if place.before != place.after {
      marks += "<circle class=\"from\" cx=\"\(scale.place(place.before))\" cy=\"9\" r=\"5\"/>"
    }
    marks += "<circle class=\"to\" cx=\"\(scale.place(place.after))\" cy=\"9\" r=\"5\"/>"
    return """
      <svg height="18" aria-hidden="true">\(marks)</svg><small>\(place.text)</small>
      """
  }
}
