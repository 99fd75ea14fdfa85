internal import ParameterTuning

/// The objective over the two axes along which it changes most, through the recommended cell.
struct HeatPanel {
  let slice: ObjectiveViews.Slice
  let stream: StreamRecommendation
  let scale: PlotScale

  private static let left = 96.0
  private static let side = (width: 560.0, height: 300.0)

  /// Draws the panel; returns where it ends.
  func draw(in canvas: inout SVGCanvas, at origin: SVGCanvas.Point) -> Double {
    let rows = stream.views.profiles[slice.rowAxis]
    let columns = stream.views.profiles[slice.columnAxis]
    let cell = (
      width: Self.side.width / Double(columns.values.count),
      height: Self.side.height / Double(rows.values.count)
    )
    let left = origin.x + Self.left
    let top = origin.y + 8
    for row in rows.values.indices {
      for column in columns.values.indices {
        let x = left + Double(column) * cell.width
        let y = top + Double(rows.values.count - 1 - row) * cell.height
        canvas.box(
          x: x, y: y, width: cell.width + 0.3, height: cell.height + 0.3, radius: 0,
          color: color(slice.objective[row][column]))
        if slice.isOnPlateau[row][column] {
          canvas.disk(
            .init(x: x + cell.width / 2, y: y + cell.height / 2),
            radius: min(3, min(cell.width, cell.height) / 4), color: "#ffd166")
        }
      }
    }
    canvas.disk(
      .init(
        x: left + (Double(columns.chosen) + 0.5) * cell.width,
        y: top + (Double(rows.values.count - 1 - rows.chosen) + 0.5) * cell.height),
      radius: 6, color: "#de3a11", outline: "#ffffff")
    label(rows, columns, left: left, top: top, in: &canvas)
    legend(left: left + Self.side.width + 24, top: top, in: &canvas)
    return top + Self.side.height + 36
  }

  private func label(
    _ rows: ObjectiveViews.Profile, _ columns: ObjectiveViews.Profile, left: Double, top: Double,
    in canvas: inout SVGCanvas
  ) {
    let bottom = top + Self.side.height
    func text(_ text: String, _ x: Double, _ y: Double, _ anchor: String) {
      canvas.text(
        text, at: .init(x: x, y: y), .init(size: 11, color: "#52606d", anchor: anchor))
    }
    text(NumberText.short(columns.values.first ?? 0), left, bottom + 14, "start")
    text(NumberText.short(columns.values.last ?? 0), left + Self.side.width, bottom + 14, "end")
    text(NumberText.short(rows.values.first ?? 0), left - 6, bottom, "end")
    text(NumberText.short(rows.values.last ?? 0), left - 6, top + 10, "end")
    text(columns.title, left + Self.side.width / 2, bottom + 28, "middle")
    text(rows.title, left - 6, top + Self.side.height / 2, "end")
  }

  private func legend(left: Double, top: Double, in canvas: inout SVGCanvas) {
    let steps = 24
    for step in 0..<steps {
      let value = scale.low + (Double(step) + 0.5) / Double(steps) * (scale.high - scale.low)
      canvas.box(
        x: left, y: top + Double(steps - 1 - step) * 6, width: 16, height: 6.3, radius: 0,
        color: color(value))
    }
    let style = SVGCanvas.TextStyle(size: 11, color: "#52606d")
    canvas.text(NumberText.fixed(scale.high, 3), at: .init(x: left + 22, y: top + 9), style)
    canvas.text(
      NumberText.fixed(scale.low, 3), at: .init(x: left + 22, y: top + Double(steps) * 6), style)
    canvas.disk(.init(x: left + 8, y: top + 170), radius: 3, color: "#ffd166")
    canvas.text("plateau", at: .init(x: left + 22, y: top + 174), style)
    canvas.disk(
      .init(x: left + 8, y: top + 192), radius: 6, color: "#de3a11", outline: "#ffffff")
    canvas.text("recommended", at: .init(x: left + 22, y: top + 196), style)
    canvas.box(x: left, y: top + 206, width: 16, height: 12, radius: 0, color: color(nil))
    canvas.text("rejected or undefined", at: .init(x: left + 22, y: top + 216), style)
  }

  /// From pale yellow (low) over blue-green to dark blue (high); gray where there is no value.
  private func color(_ value: Double?) -> String {
    guard let value else { return "#e4e7eb" }
    let share = min(max(scale.share(value), 0), 1)
    let stops: [(Double, Double, Double)] = [
      (255, 247, 205), (127, 205, 187), (44, 127, 184), (8, 48, 107),
    ]
    let place = share * Double(stops.count - 1)
    let index = min(Int(place), stops.count - 2)
    let part = place - Double(index)
    func mix(_ a: Double, _ b: Double) -> String {
      let byte = Int((a + (b - a) * part).rounded())
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    let (a, b) = (stops[index], stops[index + 1])
    return "#" + mix(a.0, b.0) + mix(a.1, b.1) + mix(a.2, b.2)
  }
}

extension ObjectiveViews.Profile {
  /// The parameter with its unit.
  var title: String { unit == "-" ? parameter : "\(parameter) (\(unit))" }
}
