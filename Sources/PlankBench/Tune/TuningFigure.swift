internal import Evaluation
internal import ParameterTuning
internal import PlankDetection
internal import PoseModel

/// A picture of what tuning saw: the objective along every axis, and over the two that matter.
///
/// Shaded is the plateau, the disk is the recommended grid cell, the dashed line the detector's
/// default.
struct TuningFigure: Sendable {
  private let result: TuningResult
  static let width = 960.0
  static let margin = 24.0

  /// Makes the figure of a result.
  init(_ result: TuningResult) { self.result = result }

  /// The picture as SVG.
  func svg() -> String {
    var canvas = SVGCanvas()
    var top = Self.margin + 16
    let title = result.question ?? "Tuning on \(result.data.name)"
    let titleStyle = SVGCanvas.TextStyle(size: 18, isBold: true)
    canvas.text(title, at: .init(x: Self.margin, y: top), titleStyle)
    top += 22
    canvas.text(
      "\(result.data.name), \(result.data.sequences) sequences; shaded: plateau, disk: "
        + "recommended on the grid, dashed: default",
      at: .init(x: Self.margin, y: top), .init(size: 12, color: "#52606d"))
    top += 30
    for stream in result.streams { top = draw(stream, at: top, &canvas) }
    return canvas.document(width: Self.width, height: top + Self.margin, title: title)
  }

  private func draw(
    _ stream: StreamRecommendation, at start: Double, _ canvas: inout SVGCanvas
  ) -> Double {
    var top = start
    canvas.text(
      "\(stream.stream.rawValue): \(stream.evidence.objective)",
      at: .init(x: Self.margin, y: top), .init(size: 15, isBold: true))
    top += 16
    let values = stream.views.profiles.flatMap { $0.objective.compactMap(\.self) }
    guard let low = values.min(), let high = values.max() else {
      canvas.text(
        "no axis has more than one value", at: .init(x: Self.margin, y: top + 14),
        .init(color: "#52606d"))
      return top + 40
    }
    let scale = PlotScale(low: low, high: high)
    let columns = 3
    let panel = (width: (Self.width - 2 * Self.margin) / Double(columns), height: 190.0)
    for (index, profile) in stream.views.profiles.enumerated() {
      let place = SVGCanvas.Point(
        x: Self.margin + Double(index % columns) * panel.width,
        y: top + Double(index / columns) * panel.height)
      ProfilePanel(profile: profile, stream: stream, scale: scale)
        .draw(in: &canvas, at: place, width: panel.width - 12, height: panel.height - 14)
    }
    top += Double((stream.views.profiles.count + columns - 1) / columns) * panel.height
    if let slice = stream.views.slice {
      let panel = HeatPanel(slice: slice, stream: stream, scale: scale)
      top = panel.draw(in: &canvas, at: .init(x: Self.margin, y: top + 6))
    }
    return top + 26
  }
}

/// A range of values with a little room at both ends.
struct PlotScale {
  let low: Double
  let high: Double

  init(low: Double, high: Double) {
    let room = max((high - low) * 0.06, 1e-6)
    self.low = low - room
    self.high = high + room
  }

  /// Where a value lies, 0 at the low end and 1 at the high one.
  func share(_ value: Double) -> Double { (value - low) / (high - low) }
}

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

/// The objective along one axis through the recommended cell.
struct ProfilePanel {
  let profile: ObjectiveViews.Profile
  let stream: StreamRecommendation
  let scale: PlotScale

  /// Draws the panel with its upper left corner at a place.
  func draw(
    in canvas: inout SVGCanvas, at origin: SVGCanvas.Point, width: Double, height: Double
  ) {
    let left = origin.x + 46
    let bottom = origin.y + height - 34
    let plot = Plot(
      left: left, right: origin.x + width - 8, top: origin.y + 18, bottom: bottom,
      values: profile.values, scale: scale)
    canvas.box(
      x: plot.left, y: plot.top, width: plot.right - plot.left, height: plot.bottom - plot.top,
      radius: 0, color: "#f5f7fa")
    drawPlateau(in: &canvas, plot)
    drawAxes(in: &canvas, plot)
    drawDefault(in: &canvas, plot)
    for run in runs {
      canvas.path(run.map { plot.point($0.value, $0.objective) }, color: "#0967d2", width: 2)
    }
    for run in runs where run.count == 1 {
      canvas.disk(plot.point(run[0].value, run[0].objective), radius: 2, color: "#0967d2")
    }
    if let objective = profile.objective[profile.chosen] {
      canvas.disk(
        plot.point(profile.values[profile.chosen], objective), radius: 5, color: "#de3a11",
        outline: "#ffffff")
    }
  }

  private func drawPlateau(in canvas: inout SVGCanvas, _ plot: Plot) {
    guard let extent = stream.extents.first(where: { $0.key.rawValue == profile.parameter }) else {
      return
    }
    let from = plot.x(extent.values.lowerBound)
    let to = plot.x(extent.values.upperBound)
    canvas.box(
      x: from - 2, y: plot.top, width: to - from + 4, height: plot.bottom - plot.top, radius: 2,
      color: "#c6f7e2")
  }

  private func drawDefault(in canvas: inout SVGCanvas, _ plot: Plot) {
    let fact = stream.parameters.first { $0.key == profile.parameter }
    guard let value = fact?.defaultValue, let first = profile.values.first,
      let last = profile.values.last, value >= first, value <= last
    else { return }
    canvas.line(
      .init(x: plot.x(value), y: plot.top), .init(x: plot.x(value), y: plot.bottom),
      color: "#7b8794", width: 1.5, dash: "4 4")
  }

  private func drawAxes(in canvas: inout SVGCanvas, _ plot: Plot) {
    let small = SVGCanvas.TextStyle(size: 11, color: "#52606d")
    let unit = profile.unit == "-" ? "" : " (\(profile.unit))"
    canvas.text(
      profile.parameter + unit, at: .init(x: plot.left, y: plot.bottom + 30),
      .init(size: 12, color: "#1f2933"))
    for share in [0.0, 0.5, 1.0] {
      let value = scale.low + share * (scale.high - scale.low)
      let y = plot.bottom - share * (plot.bottom - plot.top)
      canvas.line(
        .init(x: plot.left, y: y), .init(x: plot.right, y: y), color: "#cbd2d9", width: 0.5)
      var style = small
      style.anchor = "end"
      canvas.text(NumberText.fixed(value, 3), at: .init(x: plot.left - 5, y: y + 4), style)
    }
    for (index, anchor) in [(0, "start"), (profile.values.count - 1, "end")] {
      var style = small
      style.anchor = anchor
      canvas.text(
        NumberText.short(profile.values[index]),
        at: .init(x: plot.x(profile.values[index]), y: plot.bottom + 14), style)
    }
    var style = small
    style.anchor = "middle"
    style.color = "#de3a11"
    if profile.chosen > 0, profile.chosen < profile.values.count - 1 {
      canvas.text(
        NumberText.short(profile.values[profile.chosen]),
        at: .init(x: plot.x(profile.values[profile.chosen]), y: plot.bottom + 14), style)
    }
  }

  /// Stretches of the axis without a gap.
  private var runs: [[(value: Double, objective: Double)]] {
    var runs: [[(value: Double, objective: Double)]] = [[]]
    for (value, objective) in zip(profile.values, profile.objective) {
      if let objective {
        runs[runs.count - 1].append((value: value, objective: objective))
      } else if !runs[runs.count - 1].isEmpty {
        runs.append([])
      }
    }
    return runs.filter { !$0.isEmpty }
  }

  /// From values to places.
  private struct Plot {
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double
    let values: [Double]
    let scale: PlotScale

    func x(_ value: Double) -> Double {
      guard let first = values.first, let last = values.last, last > first else {
        return (left + right) / 2
      }
      return left + 6 + (value - first) / (last - first) * (right - left - 12)
    }

    func point(_ value: Double, _ objective: Double) -> SVGCanvas.Point {
      .init(x: x(value), y: bottom - scale.share(objective) * (bottom - top))
    }
  }
}
