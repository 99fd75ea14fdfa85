struct AnswerRibbons: Hashable, Sendable {
  struct Ribbon: Hashable, Sendable {
    let name: String
    let spans: [ClassSpan]
  }

  private static let width = 1000.0
  private static let pitch = 26

  let seconds: Double
  let ribbons: [Ribbon]
  let marked: Range<Double>

  var html: HTML {
    guard seconds > 0, !ribbons.isEmpty else { return .empty }
    var names: [String] = []
    for span in ribbons.flatMap(\.spans) where !names.contains(span.label) {
      names.append(span.label)
    }
    let rows: [HTML] = ribbons.map(row)
    return """
      <div class="answers">
      \(rows)<span></span><p class="times"><span>0:00</span><span>\(Self.time(seconds))</span></p>
      </div>
      \(ClassChip.legend(names))
      """
  }

  private func row(_ ribbon: Ribbon) -> HTML {
    let scale = Self.width / seconds
    let spans: [HTML] = ribbon.spans.map { span in
      span.rect(scale: scale, y: 0, height: 20)
    }
    return """
      <span class="name">\(ribbon.name)</span>\
      <svg viewBox="0 0 1000 24" preserveAspectRatio="none" role="img" \
      aria-label="\(ribbon.name): \(words(ribbon))">\
      <rect class="track" x="0" y="0" width="1000" height="20"/>\(spans)\
      <rect class="marked" \(ClassSpan.place(marked, scale)) y="21" height="3"/></svg>

      """
  }

  private func words(_ ribbon: Ribbon) -> String {
    let first = ribbon.spans.prefix(12).map { "\($0.label) from \(Self.time($0.range.lowerBound))" }
    return first.joined(separator: ", ") + (ribbon.spans.count > 12 ? ", and so on" : "")
  }

  static func time(_ seconds: Double) -> String {
    let minutes = Int(min(max(0, seconds), 1e6) / 60)
    let rest = NumberText.fixed(min(max(0, seconds), 1e6) - Double(60 * minutes), 2)
    return "\(minutes):\(rest.count < 5 ? "0" : "")\(rest)"
  }
}
