/// Labels are on the curves that matter: those with a point on the front, and the recommended one;
/// the others are dim.
struct LagPlot: Hashable, Sendable {
  private static let height = 440.0
  private static let lastLabel = 0.7
  private static let line = 16.0

  let figure: SmootherFigure

  var html: HTML {
    guard !figure.isEmpty, Figure.smoothers(figure).isDrawable else { return .empty }
    let dim: [HTML] = figure.curves.filter { $0.color == nil }.map(curve)
    let bright: [HTML] = figure.curves.filter { $0.color != nil }.map(curve)
    return """
      <div class="plot"><p class="note">↑ \(figure.unit), square-root scale</p>
      <svg height="\(Int(Self.height))" role="img" aria-label="\(figure.title)">
      <rect class="ground" width="100%" height="100%"/>\(ticks)\(dim)\(front)\(bright)\
      \(recommended)\(labels)</svg>
      <p class="note axis-name">lag in ms, logarithmic from 5 ms →</p></div>
      <p class="legend narrow">\(keys)</p>
      <p class="note">\(legend)</p>

      """
  }

  private var keys: [HTML] {
    let curves = figure.curves.compactMap { curve in curve.color.map { (curve.family.name, $0) } }
    let best = figure.recommended.map { [($0.name, Theme.recommended)] } ?? []
    return (best + curves).map { name, color in
      """
      <span><svg width="12" height="12" aria-hidden="true">\
      <rect width="12" height="12" rx="3" \(Self.attributes(color).fill)/></svg> \(name)</span>
      """
    }
  }

  private var legend: String {
    let dim = figure.curves.contains { $0.color == nil && !$0.points.isEmpty }
    return
      (figure.front.isEmpty
      ? "No smoother has both a jitter and a lag. "
      : "Ringed: the front, which no other smoother beats in both. ")
      + (figure.recommended.map { "Filled: \($0.meaning). " } ?? "")
      + (dim ? "Dim: the others; dashed ones look ahead, so no app can run them. " : "")
      + "Point at a mark for its numbers."
  }

  private func percent(_ share: Double) -> String { NumberText.fixed(100 * share, 2) + "%" }

  private var ticks: HTML {
    let scale = figure.scale
    let lags: [HTML] = scale.lagTicks.map { tick in
      let x = percent(scale.share(.init(lag: tick, value: 0)).x)
      return """
        <line class="grid" x1="\(x)" x2="\(x)" y1="0" y2="100%"/>\
        <text class="tick" x="\(x)" y="\(Int(Self.height) + 16)" text-anchor="middle">\
        \(tick < 5 ? "below 5" : NumberText.short(tick))</text>
        """
    }
    let values: [HTML] = scale.valueTicks.map { tick in
      let y = percent(scale.share(.init(lag: 0, value: tick)).y)
      return """
        <line class="grid" x1="0" x2="100%" y1="\(y)" y2="\(y)"/>\
        <text class="tick" x="-8" y="\(y)" dy="4" text-anchor="end">\(NumberText.short(tick))</text>
        """
    }
    return HTML(markup: (lags + values).map(\.text).joined())
  }

  private func curve(_ curve: SmootherFigure.Curve) -> HTML {
    let color = Self.attributes(curve.color ?? Theme.others)
    let places = curve.points.map { figure.scale.share($0) }
    let points = places.map {
      "\(NumberText.fixed(100 * $0.x, 2)),\(NumberText.fixed(100 * $0.y, 2))"
    }.joined(separator: " ")
    let dots: [HTML] = zip(curve.points, places).map { point, place in
      """
      <circle cx="\(percent(place.x))" cy="\(percent(place.y))" r="\(curve.color == nil ? 2 : 3)" \
      \(color.fill)><title>\(Self.details(curve.family.name, point))</title></circle>
      """
    }
    let style = (curve.color == nil ? " dim" : "") + (curve.isCausal ? "" : " ahead")
    return """
      <g class="curve\(style)"><svg width="100%" height="100%" viewBox="0 0 100 100" \
      preserveAspectRatio="none"><polyline points="\(points)" fill="none" \(color.stroke)/></svg>\
      \(dots)</g>
      """
  }

  private var front: HTML {
    let rings: [HTML] = figure.front.map { point in
      let place = figure.scale.share(point)
      return """
        <circle class="ring" cx="\(percent(place.x))" cy="\(percent(place.y))" r="6">\
        <title>\(Self.details("on the front", point))</title></circle>
        """
    }
    return HTML(markup: rings.map(\.text).joined())
  }

  private var recommended: HTML {
    guard let recommended = figure.recommended else { return .empty }
    let place = figure.scale.share(recommended.place)
    return """
      <circle cx="\(percent(place.x))" cy="\(percent(place.y))" r="6" \
      \(Self.attributes(Theme.recommended).fill)>\
      <title>\(Self.details(recommended.name, recommended.place))</title></circle>
      """
  }

  private var labels: HTML {
    var wanted: [(name: String, share: (x: Double, y: Double), color: ThemeColor)] = []
    if let recommended = figure.recommended {
      wanted.append(
        (recommended.name, figure.scale.share(recommended.place), Theme.recommended))
    }
    for curve in figure.curves {
      guard let color = curve.color,
        let point = curve.points.first(where: figure.front.contains) ?? curve.points.last
      else { continue }
      wanted.append((curve.family.name, figure.scale.share(point), color))
    }
    var taken: [Double] = []
    let texts: [HTML] = wanted.map { label in
      let natural = Self.height * label.share.y - 12
      let steps = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, 7, 8]
      let y =
        steps.map { natural + Self.line * Double($0) }.first { place in
          place > Self.line && place < Self.height - 4
            && !taken.contains { ($0 - place).magnitude < Self.line }
        } ?? natural
      taken.append(y)
      let isLeft = label.share.x < Self.lastLabel
      return """
        <text x="\(percent(label.share.x))" y="\(NumberText.fixed(y, 1))" \
        dx="\(isLeft ? 10 : -10)" text-anchor="\(isLeft ? "start" : "end")" \
        fill="\(label.color.light)" class="label fill-\(label.color.name)">\(label.name)</text>
        """
    }
    return HTML(markup: texts.map(\.text).joined())
  }

  private static func details(_ name: String, _ point: SmootherFigure.Place) -> String {
    "\(name): \(NumberText.fixed(point.value, 3)), \(NumberText.fixed(point.lag, 1)) ms late"
  }

  private static func attributes(_ color: ThemeColor) -> (fill: HTML, stroke: HTML) {
    (
      fill: "fill=\"\(color.light)\" class=\"fill-\(color.name)\"",
      stroke: "stroke=\"\(color.light)\" class=\"stroke-\(color.name)\""
    )
  }
}
