struct TradeList: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    let settings: String
    let alike: [String]
    let value: Double?
    let text: String
    let gained: [String]
    let lost: [String]
    let obstacle: String
    let isPicked: Bool
  }

  let metric: String
  let rows: [Row]

  var html: HTML {
    guard !rows.isEmpty else { return .empty }
    let values = rows.compactMap(\.value).filter(\.isFinite)
    let axis = PlotAxis(values)
    let items: [HTML] = rows.map { row($0, axis) }
    return """
      <ol class="trades">
      <li class="axis" aria-hidden="true"><span>settings</span><span>\(metric)</span>\
      <span class="ends"><span>\(axis.text(axis.low))</span><span>\(axis.text(axis.high))</span>\
      </span><span>against the best</span></li>
      \(items)</ol>

      """
  }

  private func row(_ row: Row, _ axis: PlotAxis) -> HTML {
    let scale = BarScale(range: axis.low...axis.high)
    var marks: HTML = "<rect class=\"track\" x=\"0\" y=\"8\" width=\"100%\" height=\"2\"/>"
    if let value = row.value {
      marks += "<circle class=\"dot\" cx=\"\(scale.place(value))\" cy=\"9\" r=\"5\"/>"
    }
    let alike: HTML =
      row.alike.isEmpty
      ? .empty
      : """
      <details><summary>\(NumberText.count(row.alike.count, "more cell")) with the same numbers\
      </summary><ul>\(row.alike.map { "<li>\($0)</li>" as HTML })</ul></details>
      """
    let gains = row.gained.joined(separator: ", ")
    let losses = row.lost.joined(separator: ", ")
    let gained: HTML =
      row.gained.isEmpty
      ? .empty : "<span class=\"good\">▲ better: \(prose: gains)</span>"
    let lost: HTML =
      row.lost.isEmpty
      ? .empty : "<span class=\"bad\">▼ worse: \(prose: losses)</span>"
    let rest: HTML = row.isPicked ? "<b>✓ the best</b>" : "nothing better or worse"
    let obstacle: HTML =
      row.obstacle.isEmpty ? .empty : "<span class=\"bad\">✕ \(row.obstacle)</span>"
    return """
      <li\(HTML(markup: row.isPicked ? " class=\"best\"" : ""))><span>\(row.settings)\(alike)</span>\
      <span class="n">\(row.text)</span><svg height="18" aria-hidden="true">\(marks)</svg>\
      <span class="trade">\(gained)\(lost)\(obstacle)\
      \(gained.isEmpty && lost.isEmpty && obstacle.isEmpty ? rest : .empty)</span></li>

      """
  }
}
