/// The horizontal axis reaches to every marked value, also to one that was not tried.
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

  var html: HTML {
    guard numbers.contains(where: { $0 != nil }) else { return .empty }
    return """
      <div class="plot profile"><p class="name"><code>\(name)</code>\(unit.isEmpty ? "" : ", \(unit)")</p>
      <svg class="area" height="\(height)" role="img" aria-label="\(metric) along \(name)">\
      <rect class="ground" width="100%" height="100%"/>\(band)\(ticks)\(curve)\(spots)\(strips)</svg>
      </div>

      """
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
      let y = Self.percent(height(tick))
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
    return HTML(markup: (left + bottom).map(\.text).joined())
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
      return mark.setting.shape(x: x, y: Self.percent(height(number)))
    }
    return HTML(markup: shapes.map(\.text).joined())
  }

  private var strips: HTML {
    let strips: [HTML] = values.indices.map { position in
      let value = values[position]
      let left = position > 0 ? (values[position - 1] + value) / 2 : scale.range.lowerBound
      let right =
        position + 1 < values.count
        ? (values[position + 1] + value) / 2 : scale.range.upperBound
      let number = numbers[position].map { NumberText.fixed($0, 4) } ?? "undefined"
      return """
        <rect class="strip" \(scale.stretch(left, right)) y="0" height="100%">\
        <title>\(name) \(NumberText.short(value))\(unit.isEmpty ? "" : " " + unit): \(number)\
        </title></rect>
        """
    }
    return HTML(markup: strips.map(\.text).joined())
  }

  private func height(_ number: Double) -> Double { 1 - axis.share(number) }

  private static func percent(_ share: Double) -> String { NumberText.fixed(100 * share, 2) + "%" }
}
