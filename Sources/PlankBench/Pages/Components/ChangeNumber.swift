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
    var marks: HTML = "<rect class=\"track\" x=\"0\" y=\"5\" width=\"100%\" height=\"4\" rx=\"2\"/>"
    if let interval {
      marks += """
        <rect class="span" \(scale.stretch(interval.lowerBound, interval.upperBound)) \
        y="3" height="8" rx="2"/>
        """
    }
    if let before, let after {
      marks += "<rect class=\"way\" \(scale.stretch(before, after)) y=\"5\" height=\"4\"/>"
    }
    if let before {
      marks += "<circle class=\"from\" cx=\"\(scale.place(before))\" cy=\"7\" r=\"5\"/>"
    }
    if let after {
      marks += "<circle class=\"to\" cx=\"\(scale.place(after))\" cy=\"7\" r=\"5\"/>"
    }
    return "<svg class=\"scale\" height=\"14\" aria-hidden=\"true\">\(marks)</svg>"
  }
}
