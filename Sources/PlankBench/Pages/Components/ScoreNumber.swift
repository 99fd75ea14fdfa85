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
    let reached: HTML =
      reachedText.isEmpty ? .empty : " <b class=\"reached\">▲ \(reachedText)</b>"
    return """
      <div class="number"><p class="name">\(title)</p><p class="value">\(text)\(unit)</p>\(bar)
      <p class="note">\(note)\(reached)</p></div>

      """
  }

  private var bar: HTML {
    guard let value else { return .empty }
    let at = place(value)
    var marks: HTML = "<rect class=\"track\" x=\"0\" y=\"5\" width=\"100%\" height=\"4\" rx=\"2\"/>"
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
