internal import ParameterTuning

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
    guard let extent = stream.extents.first(where: { $0.parameter == profile.parameter }) else {
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
