struct PlotKey: Hashable, Sendable {
  let mark: HTML
  let text: String
  var size = 16

  var html: HTML {
    """
    <span><svg width="\(size)" height="\(size)" aria-hidden="true">\(mark)</svg> \(text)</span>
    """
  }
}

struct HeatMap: Hashable, Sendable {
  struct Axis: Hashable, Sendable {
    let name: String
    let unit: String
    let scale: StepScale

    func text(_ value: Double) -> String { NumberText.short(value) }
    var title: String { unit.isEmpty ? name : "\(name), \(unit)" }
  }

  struct Mark: Hashable, Sendable {
    let setting: SettingMark
    let column: Double
    let row: Double
  }

  private static let height = 380
  private static let shades = 50.0
  static let mostNumbers = 4000

  let title: String
  let metric: String
  let columns: Axis
  let rows: Axis
  let cells: [[Double?]]
  let isOnPlateau: [[Bool]]
  let marks: [Mark]

  private var known: [Double] { cells.joined().compactMap(\.self) }
  private var size: (columns: Int, rows: Int) {
    (columns.scale.values.count, rows.scale.values.count)
  }

  private var drawing: HTML { "\(ground)\(ticks)\(spots)" }

  var html: HTML {
    guard let low = known.min(), let high = known.max() else { return .empty }
    return """
      <div class="map"><div class="plot"><p class="note">↑ \(rows.title)</p>
      <svg class="area" height="\(Self.height)" role="img" aria-label="\(title)">\
      \(drawing)</svg>
      <p class="note axis-name">\(columns.title) →</p></div>
      <p class="readout" aria-live="off" hidden>Hover over the map for exact numbers.</p>
      <p class="legend">\(keys.map(\.html))</p>
      <p class="legend ramp"><span>\(NumberText.fixed(low, 3))</span>\
      <svg class="cells" height="10" aria-hidden="true">\(ramp)</svg>\
      <span>\(NumberText.fixed(high, 3)) <code>\(metric)</code></span></p>
      \(numbers)</div>

      """
  }

  /// Returns the lower edge.
  func draw(on canvas: inout SVGCanvas, at point: SVGCanvas.Point, width: Double) -> Double {
    guard let low = known.min(), let high = known.max() else { return point.y }
    let (left, top) = (point.x + 56, point.y + 26)
    let quiet = SVGCanvas.TextStyle(size: 12, color: Theme.dim)
    var end = quiet
    end.anchor = "end"
    var y = top + Double(Self.height)
    canvas.text("↑ \(rows.title)", at: .init(x: point.x, y: point.y + 12), quiet)
    canvas.drawing(
      drawing, "plot", at: .init(x: left, y: top), width: width - 56, height: Double(Self.height))
    y += 40
    canvas.text("\(columns.title) →", at: .init(x: point.x + width, y: y), end)
    canvas.text(NumberText.fixed(low, 3), at: .init(x: left, y: y), quiet)
    canvas.drawing(ramp, "cells", at: .init(x: left + 60, y: y - 10), width: 160, height: 10)
    canvas.text("\(NumberText.fixed(high, 3)) \(metric)", at: .init(x: left + 230, y: y), quiet)
    return canvas.keys(keys, at: .init(x: left, y: y + 16), width: width - 56)
  }

  private var ground: HTML {
    let (low, high) = (known.min() ?? 0, known.max() ?? 0)
    var paths: [Int: String] = [:]
    var holes = ""
    for (row, values) in cells.enumerated() {
      var start = 0
      while start < values.count {
        let shade = shade(values[start], low, high)
        var end = start + 1
        while end < values.count, self.shade(values[end], low, high) == shade { end += 1 }
        let run = "M\(start) \(size.rows - 1 - row)h\(end - start)v1h-\(end - start)z"
        if let shade { paths[shade, default: ""] += run } else { holes += run }
        start = end
      }
    }
    let tiles: [HTML] = paths.sorted { $0.key < $1.key }.map { shade, path in
      "<path fill-opacity=\"\(Self.opacity(shade))\" d=\"\(path)\"/>"
    }
    let gaps: HTML = holes.isEmpty ? .empty : "<path class=\"hole\" d=\"\(holes)\"/>"
    let edge = outline
    return """
      <svg class="cells" width="100%" height="100%" viewBox="0 0 \(size.columns) \(size.rows)" \
      preserveAspectRatio="none" shape-rendering="crispEdges">\
      <rect class="ground" width="\(size.columns)" height="\(size.rows)"/>\(tiles)\(gaps)\
      <path class="halo" d="\(edge)"/><path class="edge" d="\(edge)"/>\
      <rect class="cursor" width="1" height="1" visibility="hidden"/></svg>
      """
  }

  private func shade(_ value: Double?, _ low: Double, _ high: Double) -> Int? {
    value.map { high > low ? Int((Self.shades * ($0 - low) / (high - low)).rounded()) : 50 }
  }

  private static func opacity(_ shade: Int) -> String {
    NumberText.short(0.03 + 0.97 * Double(shade) / shades)
  }

  private var outline: String {
    func isOn(_ row: Int, _ column: Int) -> Bool {
      isOnPlateau.indices.contains(row) && isOnPlateau[row].indices.contains(column)
        && isOnPlateau[row][column]
    }
    var path = ""
    for row in 0..<size.rows {
      for column in 0..<size.columns where isOn(row, column) {
        let top = size.rows - 1 - row
        if !isOn(row + 1, column) { path += "M\(column) \(top)h1" }
        if !isOn(row - 1, column) { path += "M\(column) \(top + 1)h1" }
        if !isOn(row, column - 1) { path += "M\(column) \(top)v1" }
        if !isOn(row, column + 1) { path += "M\(column + 1) \(top)v1" }
      }
    }
    return path
  }

  private var ticks: HTML {
    let bottom: [HTML] = columns.scale.labeled(most: 10).enumerated().map { index, position in
      let x = HTML.percent((Double(position) + 0.5) / Double(size.columns))
      return """
        <text\(Self.spare(index)) x="\(x)" y="100%" dy="16" text-anchor="middle">\
        \(columns.text(columns.scale.values[position]))</text>
        """
    }
    let left: [HTML] = rows.scale.labeled(most: 12).map { position in
      let y = HTML.percent(1 - (Double(position) + 0.5) / Double(size.rows))
      return """
        <text x="-8" y="\(y)" dy="4" text-anchor="end">\
        \(rows.text(rows.scale.values[position]))</text>
        """
    }
    return "\(bottom + left)"
  }

  private func place(_ mark: Mark) -> (x: Double, y: Double)? {
    guard let x = columns.scale.share(mark.column), let y = rows.scale.share(mark.row) else {
      return nil
    }
    return (x, 1 - y)
  }

  private var spots: HTML {
    let shapes: [HTML] = marks.compactMap { mark in
      place(mark).map { mark.setting.shape(x: HTML.percent($0.x), y: HTML.percent($0.y)) }
    }
    return "\(shapes)"
  }

  private var keys: [PlotKey] {
    let settings = marks.map { mark in
      place(mark) == nil
        ? SettingMark(
          kind: mark.setting.kind, text: mark.setting.text + " (not among the values tried)"
        ).key : mark.setting.key
    }
    func box(_ kind: String, _ text: String) -> PlotKey {
      let mark: HTML = "<rect class=\"\(kind)\" x=\"2\" y=\"2\" width=\"12\" height=\"12\"/>"
      return PlotKey(mark: mark, text: text)
    }
    let plateau = isOnPlateau.joined().contains(true) ? [box("edge", "as good as the best")] : []
    let hole =
      cells.joined().contains { $0 == nil } ? [box("hole", "rejected or undefined")] : []
    return settings + plateau + hole
  }

  private var ramp: HTML {
    let steps: [HTML] = (0..<25).map { step in
      """
      <rect x="\(4 * step)%" width="4.2%" height="10" \
      fill-opacity="\(Self.opacity(2 * step + 1))"/>
      """
    }
    return "\(steps)"
  }

  private var numbers: HTML {
    guard size.columns * size.rows <= Self.mostNumbers else {
      return
        "<p class=\"note\">There are too many values for a table; <code>planklab sweep</code> "
        + "stores all of them.</p>\n"
    }
    let head: [HTML] = columns.scale.values.map { "<th scope=\"col\">\(columns.text($0))</th>" }
    let body: [HTML] = cells.indices.reversed().map { row in
      let numbers: [HTML] = cells[row].enumerated().map { column, value in
        let text = value.map { NumberText.fixed($0, 4) } ?? "-"
        return isOnPlateau[row][column] ? "<td class=\"on\">\(text)</td>" : "<td>\(text)</td>"
      }
      return "<tr><th scope=\"row\">\(rows.text(rows.scale.values[row]))</th>\(numbers)</tr>\n"
    }
    return """
      <details><summary>The map in numbers</summary>
      <div class="scroll" role="group" tabindex="0" aria-label="\(title), in numbers">\
      <table class="grid-numbers" data-column="\(columns.name)" data-row="\(rows.name)" \
      data-column-unit="\(columns.unit)" data-row-unit="\(rows.unit)" data-metric="\(metric)">
      <thead><tr><th scope="col">\(rows.title) \\ \(columns.title)</th>\(head)</tr></thead>
      <tbody>\(body)</tbody></table></div></details>

      """
  }

  private static func spare(_ index: Int) -> HTML {
    index.isMultiple(of: 2) ? .empty : " class=\"spare\""
  }
}

struct ProfilePlot: Hashable, Sendable {
  struct Mark: Hashable, Sendable {
    let setting: SettingMark
    let value: Double
    let number: Double?
  }

  let name: String
  let unit: String
  let metric: String
  let values: [Double]
  let numbers: [Double?]
  let plateau: ClosedRange<Double>?
  let marks: [Mark]
  let axis: PlotAxis
  var height = 150

  private var scale: BarScale {
    let all = values + marks.map(\.value).filter(\.isFinite)
    let (low, high) = (all.min() ?? 0, all.max() ?? 1)
    let room = high > low ? 0.03 * (high - low) : 0.5
    return BarScale(range: (low - room)...(high + room))
  }

  private var isKnown: Bool { numbers.contains { $0 != nil } }
  private var unitText: String { unit.isEmpty ? "" : ", \(unit)" }

  private var drawing: HTML {
    """
    <rect class="ground" width="100%" height="100%"/>\(band)\(ticks)\(curve)\(spots)\(strips)
    """
  }

  var html: HTML {
    guard isKnown else { return .empty }
    return """
      <div class="plot profile"><p class="name"><code>\(name)</code>\(unitText)</p>
      <svg class="area" height="\(height)" role="img" aria-label="\(metric) along \(name)">\
      \(drawing)</svg>
      </div>

      """
  }

  /// Returns the lower edge.
  func draw(on canvas: inout SVGCanvas, at point: SVGCanvas.Point, width: Double) -> Double {
    guard isKnown else { return point.y }
    canvas.text(name + unitText, at: .init(x: point.x, y: point.y + 12), .init(size: 12))
    canvas.drawing(
      drawing, "plot profile", at: .init(x: point.x + 44, y: point.y + 24), width: width - 52,
      height: Double(height))
    return point.y + 24 + Double(height) + 32
  }

  private var band: HTML {
    guard let plateau else { return .empty }
    return """
      <rect class="plateau" \(scale.stretch(plateau.lowerBound, plateau.upperBound)) y="0" \
      height="100%"/>
      """
  }

  private var ticks: HTML {
    let left: [HTML] = axis.ticks.map { tick in
      let y = HTML.percent(height(tick))
      return """
        <line class="grid" x1="0" x2="100%" y1="\(y)" y2="\(y)"/>\
        <text class="tick" x="-6" y="\(y)" dy="4" text-anchor="end">\(axis.text(tick))</text>
        """
    }
    let across = PlotAxis([values.first ?? 0, values.last ?? 1])
    let bottom: [HTML] = across.ticks.filter(scale.range.contains).map { tick in
      """
      <text class="tick" x="\(scale.place(tick))" y="100%" dy="16" text-anchor="middle">\
      \(NumberText.short(tick))</text>
      """
    }
    return "\(left + bottom)"
  }

  private var curve: HTML {
    var runs: [[(x: Double, y: Double)]] = [[]]
    for (value, number) in zip(values, numbers) {
      if let number {
        runs[runs.count - 1].append((scale.percent(value), 100 * height(number)))
      } else if runs.last?.isEmpty == false {
        runs.append([])
      }
    }
    let lines: [HTML] = runs.filter { $0.count > 1 }.map { run in
      let points = run.map { "\(NumberText.fixed($0.x, 2)),\(NumberText.fixed($0.y, 2))" }
      return "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\"/>"
    }
    let dots: [HTML] = runs.filter { $0.count == 1 }.map { run in
      """
      <circle class="dot" cx="\(NumberText.fixed(run[0].x, 2))%" \
      cy="\(NumberText.fixed(run[0].y, 2))%" r="2"/>
      """
    }
    return """
      <svg class="line-of" width="100%" height="100%" viewBox="0 0 100 100" \
      preserveAspectRatio="none">\(lines)</svg>\(dots)
      """
  }

  private var spots: HTML {
    let shapes: [HTML] = marks.map { mark in
      let x = scale.place(mark.value)
      guard let number = mark.number else {
        return """
          <line class="stem \(mark.setting.kind.rawValue)" x1="\(x)" x2="\(x)" y1="0" y2="100%"/>
          """
      }
      return mark.setting.shape(x: x, y: HTML.percent(height(number)))
    }
    return "\(shapes)"
  }

  private var strips: HTML {
    let strips: [HTML] = values.indices.map { position in
      let value = values[position]
      let left = position > 0 ? (values[position - 1] + value) / 2 : scale.range.lowerBound
      let right =
        position + 1 < values.count ? (values[position + 1] + value) / 2 : scale.range.upperBound
      let number = numbers[position].map { NumberText.fixed($0, 4) } ?? "undefined"
      return """
        <rect class="strip" \(scale.stretch(left, right)) y="0" height="100%">\
        <title>\(name) \(NumberText.short(value))\(unit.isEmpty ? "" : " " + unit): \(number)\
        </title></rect>
        """
    }
    return "\(strips)"
  }

  private func height(_ number: Double) -> Double { 1 - axis.share(number) }
}

/// The lags and jitters of smoothers as curves; only the recommended curve and those with a point
/// on the front have labels.
struct LagPlot: Hashable, Sendable {
  private static let height = 440.0
  private static let lastLabel = 0.7
  private static let line = 16.0

  let figure: SmootherFigure

  private static let axisNames = (
    value: "square-root scale", lag: "lag in ms, logarithmic from 5 ms →"
  )

  private var isDrawable: Bool { !figure.isEmpty && Figure.smoothers(figure).isDrawable }

  private var drawing: HTML {
    let dim: [HTML] = figure.curves.filter { $0.color == nil }.map(curve)
    let bright: [HTML] = figure.curves.filter { $0.color != nil }.map(curve)
    return """
      <rect class="ground" width="100%" height="100%"/>\(ticks)\(dim)\(front)\(bright)\
      \(recommended)\(labels)
      """
  }

  var html: HTML {
    guard isDrawable else { return .empty }
    return """
      <div class="plot"><p class="note">↑ \(figure.unit), \(Self.axisNames.value)</p>
      <svg height="\(Int(Self.height))" role="img" aria-label="\(figure.title)">
      \(drawing)</svg>
      <p class="note axis-name">\(Self.axisNames.lag)</p></div>
      <p class="legend narrow">\(keys.map(\.html))</p>
      <p class="note">\(legend.joined(separator: " ")) Hover over a mark to see its numbers.</p>

      """
  }

  var svg: String {
    SVGCanvas.picture(figure.title, figure.subtitle, width: 960) { canvas, top in
      guard isDrawable else { return top }
      let quiet = SVGCanvas.TextStyle(size: 12, color: Theme.dim)
      var end = quiet
      end.anchor = "end"
      let bottom = top + 12 + Self.height
      canvas.text("↑ \(figure.unit), \(Self.axisNames.value)", at: .init(x: 24, y: top), quiet)
      canvas.drawing(
        drawing, "plot", at: .init(x: 72, y: top + 12), width: 864, height: Self.height)
      canvas.text(Self.axisNames.lag, at: .init(x: 936, y: bottom + 40), end)
      let below = canvas.keys(keys, at: .init(x: 72, y: bottom + 56), width: 864)
      for (row, sentence) in legend.enumerated() {
        canvas.text(sentence, at: .init(x: 72, y: below + 16 + 18 * Double(row)), quiet)
      }
      return below + 18 * Double(legend.count)
    }
  }

  private var keys: [PlotKey] {
    let curves = figure.curves.compactMap { curve in curve.color.map { (curve.family.name, $0) } }
    let best = figure.recommended.map { [($0.name, Theme.recommended)] } ?? []
    return (best + curves).map { name, color in
      let mark: HTML =
        "<rect width=\"12\" height=\"12\" rx=\"3\" \(Self.attributes(color).fill)/>"
      return PlotKey(mark: mark, text: name, size: 12)
    }
  }

  private var legend: [String] {
    let drawn = figure.curves.filter { !$0.points.isEmpty }
    return [
      figure.front.isEmpty
        ? "No smoother has both a defined jitter and a defined lag."
        : "Ringed: the front, the smoothers that no other smoother without look-ahead beats in both jitter and lag."
    ] + (figure.recommended.map { ["Filled: \($0.meaning)."] } ?? [])
      + (drawn.contains(where: \.isTuned) ? ["Square: found by search."] : [])
      + (drawn.contains { $0.color == nil }
        ? ["Dim: other smoothers; dashed ones look ahead, so no app can run them live."] : [])
  }

  private var ticks: HTML {
    let scale = figure.scale
    let lags: [HTML] = scale.lagTicks.map { tick in
      let x = HTML.percent(scale.share(.init(lag: tick, value: 0)).x)
      return """
        <line class="grid" x1="\(x)" x2="\(x)" y1="0" y2="100%"/>\
        <text class="tick" x="\(x)" y="\(Int(Self.height) + 16)" text-anchor="middle">\
        \(tick < 5 ? "below 5" : NumberText.short(tick))</text>
        """
    }
    let values: [HTML] = scale.valueTicks.map { tick in
      let y = HTML.percent(scale.share(.init(lag: 0, value: tick)).y)
      return """
        <line class="grid" x1="0" x2="100%" y1="\(y)" y2="\(y)"/>\
        <text class="tick" x="-8" y="\(y)" dy="4" text-anchor="end">\(NumberText.short(tick))</text>
        """
    }
    return "\(lags + values)"
  }

  private func curve(_ curve: SmootherFigure.Curve) -> HTML {
    let color = Self.attributes(curve.color ?? Theme.others)
    let places = curve.points.map { figure.scale.share($0) }
    let points = places.map {
      "\(NumberText.fixed(100 * $0.x, 2)),\(NumberText.fixed(100 * $0.y, 2))"
    }.joined(separator: " ")
    let dots: [HTML] = zip(curve.points, places).map { point, place in
      let (x, y) = (HTML.percent(place.x), HTML.percent(place.y))
      let title: HTML = "<title>\(Self.details(curve.family.name, point))</title>"
      return curve.isTuned
        ? """
        <rect x="\(x)" y="\(y)" width="7" height="7" transform="translate(-3.5 -3.5)" \
        \(color.fill)>\(title)</rect>
        """
        : """
        <circle cx="\(x)" cy="\(y)" r="\(curve.color == nil ? 2 : 3)" \
        \(color.fill)>\(title)</circle>
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
        <circle class="ring" cx="\(HTML.percent(place.x))" cy="\(HTML.percent(place.y))" r="6">\
        <title>\(Self.details("on the front", point))</title></circle>
        """
    }
    return "\(rings)"
  }

  private var recommended: HTML {
    guard let recommended = figure.recommended else { return .empty }
    let place = figure.scale.share(recommended.place)
    return """
      <circle cx="\(HTML.percent(place.x))" cy="\(HTML.percent(place.y))" r="6" \
      \(Self.attributes(Theme.recommended).fill)>\
      <title>\(Self.details(recommended.name, recommended.place))</title></circle>
      """
  }

  private var labels: HTML {
    var wanted: [(name: String, share: (x: Double, y: Double), color: ThemeColor)] = []
    if let recommended = figure.recommended {
      wanted.append((recommended.name, figure.scale.share(recommended.place), Theme.recommended))
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
        <text x="\(HTML.percent(label.share.x))" y="\(NumberText.fixed(y, 1))" \
        dx="\(isLeft ? 10 : -10)" text-anchor="\(isLeft ? "start" : "end")" \
        fill="\(label.color.light)" class="label fill-\(label.color.name)">\(label.name)</text>
        """
    }
    return "\(texts)"
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
