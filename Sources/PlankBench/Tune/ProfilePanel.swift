internal import Tuning

struct ProfilePanel {
  let profile: ObjectiveFigure.Profile
  let axis: PlotAxis
  let showsCliffs: Bool

  private var line: ObjectiveViews.Profile { profile.line }

  func draw(
    in canvas: inout SVGCanvas, at origin: SVGCanvas.Point, width: Double, height: Double
  ) {
    let left = origin.x + 46
    let bottom = origin.y + height - 34
    let plot = Plot(
      left: left, right: origin.x + width - 8, top: origin.y + 18, bottom: bottom,
      values: line.values, axis: axis)
    canvas.box(
      x: plot.left, y: plot.top, width: plot.right - plot.left, height: plot.bottom - plot.top,
      radius: 0, color: Theme.raised)
    drawPlateau(in: &canvas, plot)
    drawAxes(in: &canvas, plot)
    drawDefault(in: &canvas, plot)
    for run in runs {
      canvas.path(run.map { plot.point($0.value, $0.objective) }, color: Theme.accent, width: 2)
    }
    for run in runs where run.count == 1 {
      canvas.disk(plot.point(run[0].value, run[0].objective), radius: 2, color: Theme.accent)
    }
    if let mark = profile.mark, let objective = mark.objective {
      canvas.disk(
        plot.point(mark.value, objective), radius: 5, color: Theme.recommended,
        outline: Theme.surface)
    }
  }

  private func drawPlateau(in canvas: inout SVGCanvas, _ plot: Plot) {
    guard let plateau = profile.plateau else { return }
    let from = plot.x(plateau.from)
    let to = plot.x(plateau.to)
    canvas.box(
      x: from - 2, y: plot.top, width: to - from + 4, height: plot.bottom - plot.top, radius: 2,
      color: Theme.plateau)
    guard showsCliffs else { return }
    for cliff in plateau.cliffs where plot.contains(cliff) {
      let x = plot.x(cliff)
      canvas.line(
        .init(x: x, y: plot.top), .init(x: x, y: plot.bottom), color: Theme.threshold, width: 1.5)
    }
  }

  private func drawDefault(in canvas: inout SVGCanvas, _ plot: Plot) {
    guard let value = profile.defaultValue, let first = line.values.first,
      let last = line.values.last, value >= first, value <= last
    else { return }
    canvas.line(
      .init(x: plot.x(value), y: plot.top), .init(x: plot.x(value), y: plot.bottom),
      color: Theme.dim, width: 1.5, dash: "4 4")
  }

  private func drawAxes(in canvas: inout SVGCanvas, _ plot: Plot) {
    var small = SVGCanvas.TextStyle(size: 11, color: Theme.dim, anchor: "middle")
    canvas.text(
      line.title, at: .init(x: (plot.left + plot.right) / 2, y: plot.bottom + 31),
      .init(size: 12, anchor: "middle"))
    let mark = profile.mark.map { (x: plot.x($0.value), text: line.text($0.value)) }
    for tick in line.ticks where plot.contains(tick.value) {
      let x = plot.x(tick.value)
      canvas.line(
        .init(x: x, y: plot.bottom), .init(x: x, y: plot.bottom + 4), color: Theme.dim, width: 1)
      if let mark {
        let room = 4 + 3.4 * Double(tick.text.count + mark.text.count)
        guard (x - mark.x).magnitude > room else { continue }
      }
      canvas.text(tick.text, at: .init(x: x, y: plot.bottom + 15), small)
    }
    if let mark {
      small.color = Theme.recommended
      small.isBold = true
      canvas.text(mark.text, at: .init(x: mark.x, y: plot.bottom + 15), small)
    }
    for tick in axis.ticks {
      let y = plot.y(tick)
      canvas.line(
        .init(x: plot.left, y: y), .init(x: plot.right, y: y), color: Theme.line, width: 0.5)
      canvas.text(
        axis.text(tick), at: .init(x: plot.left - 6, y: y + 4),
        .init(size: 11, color: Theme.dim, anchor: "end"))
    }
  }

  private var runs: [[(value: Double, objective: Double)]] {
    var runs: [[(value: Double, objective: Double)]] = [[]]
    for (value, objective) in zip(line.values, line.objective) {
      if let objective {
        runs[runs.count - 1].append((value: value, objective: objective))
      } else if !runs[runs.count - 1].isEmpty {
        runs.append([])
      }
    }
    return runs.filter { !$0.isEmpty }
  }

  private struct Plot {
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double
    let values: [Double]
    let axis: PlotAxis

    func contains(_ value: Double) -> Bool {
      guard let first = values.first, let last = values.last else { return false }
      return value >= first - 1e-9 && value <= last + 1e-9
    }

    func x(_ value: Double) -> Double {
      guard let first = values.first, let last = values.last, last > first else {
        return (left + right) / 2
      }
      return left + 6 + (value - first) / (last - first) * (right - left - 12)
    }

    func point(_ value: Double, _ objective: Double) -> SVGCanvas.Point {
      .init(x: x(value), y: y(objective))
    }

    func y(_ objective: Double) -> Double { bottom - axis.share(objective) * (bottom - top) }
  }
}
