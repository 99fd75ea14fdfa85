/// A number over two parameters as a map of colors; the script reads the line under it from its
/// table.
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
  /// Beyond so many cells, the numbers are left out, to keep pages small.
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

  var html: HTML {
    guard let low = known.min(), let high = known.max() else { return .empty }
    return """
      <div class="map"><div class="plot"><p class="note">↑ \(rows.title)</p>
      <svg class="area" height="\(Self.height)" role="img" aria-label="\(title)">\
      \(ground(low, high))\(ticks)\(spots)</svg>
      <p class="note axis-name">\(columns.title) →</p></div>
      <p class="readout" aria-live="off" hidden>Point at the map for exact numbers.</p>
      <p class="legend">\(keys)</p>
      <p class="legend ramp"><span>\(NumberText.fixed(low, 3))</span>\(ramp)\
      <span>\(NumberText.fixed(high, 3)) <code>\(metric)</code></span></p>
      \(numbers)</div>

      """
  }

  private func ground(_ low: Double, _ high: Double) -> HTML {
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
      let x = Self.percent((Double(position) + 0.5) / Double(size.columns))
      return """
        <text\(Self.spare(index)) x="\(x)" y="100%" dy="16" text-anchor="middle">\
        \(columns.text(columns.scale.values[position]))</text>
        """
    }
    let left: [HTML] = rows.scale.labeled(most: 12).map { position in
      let y = Self.percent(1 - (Double(position) + 0.5) / Double(size.rows))
      return """
        <text x="-8" y="\(y)" dy="4" text-anchor="end">\
        \(rows.text(rows.scale.values[position]))</text>
        """
    }
    return HTML(markup: (bottom + left).map(\.text).joined())
  }

  private func place(_ mark: Mark) -> (x: Double, y: Double)? {
    guard let x = columns.scale.share(mark.column), let y = rows.scale.share(mark.row) else {
      return nil
    }
    return (x, 1 - y)
  }

  private var spots: HTML {
    let shapes: [HTML] = marks.compactMap { mark in
      place(mark).map { mark.setting.shape(x: Self.percent($0.x), y: Self.percent($0.y)) }
    }
    return HTML(markup: shapes.map(\.text).joined())
  }

  private var keys: [HTML] {
    let settings: [HTML] = marks.map { mark in
      place(mark) == nil
        ? SettingMark(
          kind: mark.setting.kind, text: mark.setting.text + " (not among the tried values)"
        ).key : mark.setting.key
    }
    let plateau: HTML =
      isOnPlateau.joined().contains(true)
      ? """
      <span><svg width="16" height="16" aria-hidden="true">\
      <rect class="edge" x="2" y="2" width="12" height="12"/></svg> as good as the best</span>
      """ : .empty
    let hole: HTML =
      cells.joined().contains { $0 == nil }
      ? """
      <span><svg width="16" height="16" aria-hidden="true">\
      <rect class="hole" x="2" y="2" width="12" height="12"/></svg> rejected or undefined</span>
      """ : .empty
    return settings + [plateau, hole]
  }

  private var ramp: HTML {
    let steps: [HTML] = (0..<25).map { step in
      """
      <rect x="\(4 * step)%" width="4.2%" height="10" \
      fill-opacity="\(Self.opacity(2 * step + 1))"/>
      """
    }
    return "<svg class=\"cells\" height=\"10\" aria-hidden=\"true\">\(steps)</svg>"
  }

  private var numbers: HTML {
    guard size.columns * size.rows <= Self.mostNumbers else {
      return
        "<p class=\"note\">Too many cells for a table; <code>planklab sweep</code> keeps them.</p>\n"
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

  private static func percent(_ share: Double) -> String { NumberText.fixed(100 * share, 2) + "%" }

  private static func spare(_ index: Int) -> HTML {
    index.isMultiple(of: 2) ? .empty : " class=\"spare\""
  }
}
