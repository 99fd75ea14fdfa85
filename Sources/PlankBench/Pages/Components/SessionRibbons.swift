struct SessionRibbons: Hashable, Sendable {
  private static let rowHeight = 26
  private static let letter = 0.0095

  let timeline: Timeline

  var html: HTML {
    let figure = Figure.timeline(timeline)
    guard !figure.isEmpty, figure.isDrawable else { return .empty }
    let rows: [HTML] = timeline.ribbons.map { ribbon in
      let spans: [HTML] = ribbon.spans.map(span)
      return """
        <li><span class="name">\(ribbon.name)</span>\
        <svg height="\(Self.rowHeight)" role="img" aria-label="\(words(ribbon))">\(spans)</svg></li>

        """
    }
    let used = Set(timeline.ribbons.flatMap(\.spans).map(\.state))
    let states = TimelineStyle.all.map(\.state).filter(used.contains)
    return """
      <ol class="session">
      \(rows)<li class="axis" aria-hidden="true"><span></span><svg height="20">\(ticks)</svg></li>
      </ol>
      \(ClassChip.legend(states))
      """
  }

  private var scale: BarScale { BarScale(range: timeline.start...timeline.end) }

  private func span(_ span: Timeline.Span) -> HTML {
    guard TimelineStyle.of(span.state) != nil else { return .empty }
    let caption = span.caption ?? span.state
    let share = (span.end - span.start) / (timeline.end - timeline.start)
    let text: HTML =
      share < Self.letter * Double(caption.count)
      ? .empty
      : """
      <text class="ink-\(span.state)" x="\(scale.place((span.start + span.end) / 2))" y="17" \
      text-anchor="middle">\(caption)</text>
      """
    return """
      <rect class="in-\(span.state)" \(scale.stretch(span.start, span.end)) y="1" height="22">\
      <title>\(words(span))</title></rect>\(text)
      """
  }

  private func words(_ span: Timeline.Span) -> String {
    "\(span.caption ?? span.state), \(NumberText.fixed(span.start, 2)) to "
      + "\(NumberText.fixed(span.end, 2)) s"
  }

  private func words(_ ribbon: Timeline.Ribbon) -> String {
    ribbon.spans.filter { TimelineStyle.of($0.state) != nil }.map(words).joined(separator: "; ")
  }

  private var ticks: HTML {
    let step = RoundStep(spanning: timeline.end - timeline.start, most: 8)
    let marks: [HTML] = step.multiples(from: timeline.start, to: timeline.end).map { tick in
      """
      <line class="grid" x1="\(scale.place(tick))" x2="\(scale.place(tick))" y1="0" y2="4"/>\
      <text x="\(scale.place(tick))" y="16" text-anchor="middle">\
      \(NumberText.fixed(tick, step.decimals)) s</text>
      """
    }
    return HTML(markup: marks.map(\.text).joined())
  }
}
