/// Settings with the value to use, changed or kept, and why.
struct ThresholdList: Hashable, Sendable {
  /// A setting.
  struct Row: Hashable, Sendable {
    /// The setting.
    let name: String
    /// The value that the search started from, as it is read.
    let before: String
    /// The value to use, as it is read.
    let after: String
    /// Whether the value to use is another one.
    let isChanged: Bool
    /// Why.
    let why: String
    /// Where the values lie; nil for a setting without numbers or without an axis.
    var place: Place?
  }

  /// Where the values of a setting lie.
  struct Place: Hashable, Sendable {
    /// The least and the greatest value that is shown.
    let range: ClosedRange<Double>
    /// The values that do as well as the best one; nil where it is unknown.
    let plateau: ClosedRange<Double>?
    /// The same in words.
    let text: String
    /// The value that the search started from.
    let before: Double
    /// The value to use.
    let after: Double
  }

  /// The settings.
  let rows: [Row]

  /// The list; nothing without a setting.
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
