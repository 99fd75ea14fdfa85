internal import PoseModel

struct DifferenceRibbons: Hashable, Sendable {
  struct Moment: Hashable, Sendable {
    let what: String
    let isLost: Bool
    let start: Seconds
    let truth: String
    let before: String
    let after: String
    let link: MomentLink
    let commands: [[String]]
  }

  struct Recording: Hashable, Sendable {
    let name: String
    let facts: String
    let seconds: Double
    let truth: [ClassSpan]
    let before: [ClassSpan]
    let after: [ClassSpan]
    let moments: [Moment]
  }

  static let openCount = 5
  private static let width = 1000.0

  let reference: String
  let candidate: String
  let recordings: [Recording]

  var html: HTML {
    guard !recordings.isEmpty else { return .empty }
    let spans = recordings.flatMap { $0.truth + $0.before + $0.after }
    let labels = spans.map(\.label).reduce(into: [String]()) { found, label in
      if !found.contains(label) { found.append(label) }
    }
    let rows: [HTML] = recordings.map(row)
    let rest = Array(rows.dropFirst(Self.openCount))
    let more: HTML =
      rest.isEmpty
      ? .empty
      : """
      <details><summary>\(NumberText.count(rest.count, "more recording"))</summary>
      <ol class="differences">\(rest)</ol></details>

      """
    return """
      \(ClassChip.legend(labels))<p class="legend"><span><i class="lost"></i>only \(reference) \
      is right</span><span><i class="won"></i>only \(candidate) is right</span></p>
      <ol class="differences">
      \(Array(rows.prefix(Self.openCount)))</ol>
      \(more)
      """
  }

  private func row(_ recording: Recording) -> HTML {
    let scale = Self.width / max(recording.seconds, 1e-9)
    let lanes: [HTML] = [recording.truth, recording.before, recording.after].enumerated().map {
      lane, spans in
      let rects: [HTML] = spans.map { $0.rect(scale: scale, y: 16 * lane, height: 14) }
      let unknown: HTML =
        "<rect class=\"unknown\" x=\"0\" y=\"\(16 * lane + 6)\" width=\"1000\" height=\"2\"/>"
      return HTML(markup: unknown.text + rects.map(\.text).joined())
    }
    let marks: [HTML] = Self.oneSided(recording).map { mark in
      let row = mark.isLost ? "lost\" y=\"48" : "won\" y=\"54"
      return """
        <rect class="\(HTML(markup: row))" \(ClassSpan.place(mark.range, scale)) height="5"/>
        """
    }
    let moments: [HTML] = recording.moments.map(moment)
    return """
      <li><p class="name"><b>\(recording.name)</b> <span class="dim">\(recording.facts)</span></p>
      <div class="stack"><p class="lanes"><span>truth</span><span>\(reference)</span>\
      <span>\(candidate)</span></p>
      <svg viewBox="0 0 1000 60" preserveAspectRatio="none" aria-hidden="true">\
      \(lanes)\(marks)</svg>
      <p class="ends"><span>0 s</span><span>\(NumberText.fixed(recording.seconds, 1)) s</span></p>\
      </div>
      \(moments)</li>

      """
  }

  private func moment(_ moment: Moment) -> HTML {
    let lines: [HTML] = moment.commands.map { CopyLine(lines: $0).html }
    let explain: HTML =
      lines.isEmpty
      ? .empty : "<details><summary>Explain this moment</summary>\n\(lines)</details>\n"
    return """
      <div class="moment"><p><b class="\(moment.isLost ? "bad" : "good")">\(moment.what)</b> \
      at \(NumberText.fixed(moment.start.value, 2)) s: true \(ClassChip(name: moment.truth).html), \
      \(reference) \(ClassChip(name: moment.before).html), \
      \(candidate) \(ClassChip(name: moment.after).html) \(moment.link.html)</p>
      \(explain)</div>

      """
  }

  private static func oneSided(
    _ recording: Recording
  ) -> [(range: Range<Double>, isLost: Bool)] {
    let ribbons = [recording.truth, recording.before, recording.after]
    let edges = Set(ribbons.joined().flatMap { [$0.range.lowerBound, $0.range.upperBound] })
      .sorted()
    var found: [(range: Range<Double>, isLost: Bool)] = []
    var places = [0, 0, 0]
    for (start, end) in zip(edges, edges.dropFirst()) {
      let labels = ribbons.indices.map { ribbon -> String? in
        let spans = ribbons[ribbon]
        while places[ribbon] < spans.count, spans[places[ribbon]].range.upperBound <= start {
          places[ribbon] += 1
        }
        guard places[ribbon] < spans.count, spans[places[ribbon]].range.lowerBound <= start
        else { return nil }
        return spans[places[ribbon]].label
      }
      guard let truth = labels[0], (labels[1] == truth) != (labels[2] == truth) else { continue }
      let isLost = labels[1] == truth
      if let last = found.last, last.isLost == isLost, last.range.upperBound == start {
        found[found.count - 1].range = last.range.lowerBound..<end
      } else {
        found.append((range: start..<end, isLost: isLost))
      }
    }
    return found
  }
}
