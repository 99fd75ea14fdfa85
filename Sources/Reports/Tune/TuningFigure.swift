internal import Evaluation
internal import PlankDetection
internal import PoseModel
package import Tuning

/// The figure of a tuning, whose lines pass through the configuration that was found.
///
/// The shaded region is the plateau, the disk marks the recommended values with their objective,
/// and the dashed line is the detector's default.
package struct TuningFigure: Sendable {
  let tuning: ResultEnvelope<TuningResult>

  package init(
    tuning: ResultEnvelope<TuningResult>
  ) {
    self.tuning = tuning
  }
  static let width = 960.0
  static let margin = 24.0

  package func svg() -> String {
    let (result, name) = (tuning.result, tuning.origin.datasetName)
    let layouts = result.streams.map { StreamLayout(ObjectiveFigure($0), showsCliffs: false) }
    let height = layouts.reduce(Self.margin + 68) { $0 + $1.height } + Self.margin
    var canvas = SVGCanvas()
    canvas.box(x: 0, y: 0, width: Self.width, height: height, radius: 10, color: Theme.surface)
    var top = Self.margin + 16
    let title = result.question ?? "Tuning on \(name)"
    canvas.text(title, at: .init(x: Self.margin, y: top), .init(size: 18, isBold: true))
    top += 22
    canvas.text(
      "\(name), \(NumberText.count(result.sequences, "sequence")); shaded: plateau, disk: "
        + "recommended, dashed: default",
      at: .init(x: Self.margin, y: top), .init(size: 12, color: Theme.dim))
    top += 30
    for layout in layouts {
      layout.draw(at: top, on: &canvas)
      top += layout.height
    }
    return canvas.document(width: Self.width, height: height, title: title)
  }
}

struct StreamLayout {
  private static let columns = 3
  private static let panel = (
    width: (TuningFigure.width - 2 * TuningFigure.margin) / Double(columns), height: 196.0
  )
  private static let headHeight = 16.0

  private let figure: ObjectiveFigure
  private let showsCliffs: Bool
  private let axis: PlotAxis
  private let isEmpty: Bool

  init(_ figure: ObjectiveFigure, showsCliffs: Bool) {
    self.figure = figure
    self.showsCliffs = showsCliffs
    isEmpty = figure.known.isEmpty
    axis = figure.axis
  }

  private var profileRows: Double {
    Double((figure.profiles.count + Self.columns - 1) / Self.columns)
  }

  var height: Double {
    guard !isEmpty else { return Self.headHeight + 50 }
    let slice = figure.slice == nil ? 0 : HeatPanel.height
    return Self.headHeight + profileRows * Self.panel.height + slice + 26
  }

  func draw(at top: Double, on canvas: inout SVGCanvas) {
    canvas.text(
      figure.title, at: .init(x: TuningFigure.margin, y: top), .init(size: 15, isBold: true))
    guard !isEmpty else {
      canvas.text(
        "no axis has more than one value", at: .init(x: TuningFigure.margin, y: top + 30),
        .init(color: Theme.dim))
      return
    }
    for (index, profile) in figure.profiles.enumerated() {
      let place = SVGCanvas.Point(
        x: TuningFigure.margin + Double(index % Self.columns) * Self.panel.width,
        y: top + Self.headHeight + Double(index / Self.columns) * Self.panel.height)
      ProfilePanel(profile: profile, axis: axis, showsCliffs: showsCliffs)
        .draw(in: &canvas, at: place, width: Self.panel.width - 12, height: Self.panel.height - 14)
    }
    guard let slice = figure.slice else { return }
    HeatPanel(figure: figure, slice: slice, axis: axis, showsCliffs: showsCliffs).draw(
      in: &canvas,
      at: .init(
        x: TuningFigure.margin, y: top + Self.headHeight + profileRows * Self.panel.height + 6))
  }
}

struct HeatPanel {
  let figure: ObjectiveFigure
  let slice: ObjectiveViews.Slice
  let axis: PlotAxis
  let showsCliffs: Bool

  private static let left = 96.0
  private static let side = (width: 560.0, height: 300.0)
  static let height = side.height + 50

  func draw(in canvas: inout SVGCanvas, at origin: SVGCanvas.Point) {
    let rows = figure.profiles[slice.rowAxis].line
    let columns = figure.profiles[slice.columnAxis].line
    let (left, top) = (origin.x + Self.left, origin.y + 8)
    let cell = (
      width: Self.side.width / Double(columns.values.count),
      height: Self.side.height / Double(rows.values.count)
    )
    func place(_ row: Double, _ column: Double) -> SVGCanvas.Point {
      .init(
        x: left + (column + 0.5) * cell.width,
        y: top + (Double(rows.values.count - 1) - row + 0.5) * cell.height)
    }
    func center(_ row: Int, _ column: Int) -> SVGCanvas.Point { place(Double(row), Double(column)) }
    drawTiles(center, cell, on: &canvas)
    if showsCliffs { drawCliffs(center, cell, on: &canvas) }
    if let mark = figure.mark(slice) {
      canvas.disk(
        place(mark.row, mark.column), radius: 6, color: Self.chosen, outline: .fixed("#ffffff"))
    }
    label(rows, columns, center, left: left, bottom: top + Self.side.height, in: &canvas)
    legend(left: left + Self.side.width + 24, top: top, in: &canvas)
  }

  private func drawTiles(
    _ center: (Int, Int) -> SVGCanvas.Point, _ cell: (width: Double, height: Double),
    on canvas: inout SVGCanvas
  ) {
    for row in slice.objective.indices {
      for column in slice.objective[row].indices {
        let middle = center(row, column)
        canvas.box(
          x: middle.x - cell.width / 2, y: middle.y - cell.height / 2, width: cell.width,
          height: cell.height, radius: 0, color: color(slice.objective[row][column]), isTile: true)
        if slice.isOnPlateau[row][column] {
          canvas.disk(
            middle, radius: min(3, min(cell.width, cell.height) / 4), color: Self.plateau,
            outline: Self.plateauOutline)
        }
      }
    }
  }

  private func drawCliffs(
    _ center: (Int, Int) -> SVGCanvas.Point, _ cell: (width: Double, height: Double),
    on canvas: inout SVGCanvas
  ) {
    let halves = (width: cell.width / 2, height: cell.height / 2)
    var edges: [(SVGCanvas.Point, SVGCanvas.Point)] = []
    for (row, column, isUpward) in slice.cliffs {
      let (low, high) = (
        center(row, column), isUpward ? center(row + 1, column) : center(row, column + 1)
      )
      let middle = SVGCanvas.Point(x: (low.x + high.x) / 2, y: (low.y + high.y) / 2)
      let (dx, dy) = isUpward ? (halves.width, 0) : (0, halves.height)
      edges.append(
        (.init(x: middle.x - dx, y: middle.y - dy), .init(x: middle.x + dx, y: middle.y + dy)))
    }
    for edge in edges { canvas.line(edge.0, edge.1, color: .fixed("#ffffff"), width: 4.5) }
    for edge in edges { canvas.line(edge.0, edge.1, color: Self.chosen, width: 2.2) }
  }

  private static let plateau = ThemeColor.fixed("#ffd166")
  private static let plateauOutline = ThemeColor.fixed("#0b0d10")
  private static let chosen = ThemeColor.fixed("#d6330a")

  private func label(
    _ rows: ObjectiveViews.Profile, _ columns: ObjectiveViews.Profile,
    _ center: (Int, Int) -> SVGCanvas.Point, left: Double, bottom: Double,
    in canvas: inout SVGCanvas
  ) {
    let quiet = SVGCanvas.TextStyle(size: 11, color: Theme.dim, anchor: "middle")
    for column in Self.labeled(columns.values.count, room: Self.side.width / 44) {
      canvas.text(
        columns.text(columns.values[column]), at: .init(x: center(0, column).x, y: bottom + 15),
        quiet)
    }
    var end = quiet
    end.anchor = "end"
    for row in Self.labeled(rows.values.count, room: Self.side.height / 22) {
      canvas.text(rows.text(rows.values[row]), at: .init(x: left - 7, y: center(row, 0).y + 4), end)
    }
    var title = SVGCanvas.TextStyle(size: 12, anchor: "middle")
    canvas.text(columns.title, at: .init(x: left + Self.side.width / 2, y: bottom + 34), title)
    title.isUpward = true
    canvas.text(rows.title, at: .init(x: left - 58, y: bottom - Self.side.height / 2), title)
  }

  private static func labeled(_ count: Int, room: Double) -> StrideTo<Int> {
    let step = RoundStep(spanning: Double(count), most: Int(room))
    return stride(from: 0, to: count, by: max(1, Int(step.size)))
  }

  private func legend(left: Double, top: Double, in canvas: inout SVGCanvas) {
    let (steps, height) = (48, 144.0)
    for step in 0..<steps {
      let share = (Double(step) + 0.5) / Double(steps)
      canvas.box(
        x: left, y: top + height * (1 - Double(step + 1) / Double(steps)), width: 16,
        height: height / Double(steps), radius: 0, color: Self.color(share: share), isTile: true)
    }
    let style = SVGCanvas.TextStyle(size: 11, color: Theme.dim)
    for tick in axis.ticks {
      let y = top + height * (1 - axis.share(tick))
      canvas.line(.init(x: left + 16, y: y), .init(x: left + 20, y: y), color: Theme.dim, width: 1)
      canvas.text(axis.text(tick), at: .init(x: left + 25, y: y + 4), style)
    }
    canvas.disk(
      .init(x: left + 8, y: top + 172), radius: 3, color: Self.plateau,
      outline: Self.plateauOutline)
    canvas.text(figure.names.plateau, at: .init(x: left + 25, y: top + 176), style)
    canvas.disk(
      .init(x: left + 8, y: top + 194), radius: 6, color: Self.chosen, outline: .fixed("#ffffff"))
    canvas.text(figure.names.chosen, at: .init(x: left + 25, y: top + 198), style)
    canvas.box(x: left, y: top + 208, width: 16, height: 12, radius: 0, color: Theme.hole)
    canvas.text("rejected or undefined", at: .init(x: left + 25, y: top + 218), style)
    guard showsCliffs, !slice.cliffs.isEmpty else { return }
    canvas.line(
      .init(x: left, y: top + 236), .init(x: left + 16, y: top + 236), color: Self.chosen,
      width: 2.2)
    canvas.text("cliff", at: .init(x: left + 25, y: top + 240), style)
  }

  private func color(_ value: Double?) -> ThemeColor {
    value.map { Self.color(share: axis.share($0)) } ?? Theme.hole
  }

  static func color(share: Double) -> ThemeColor {
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
    return .fixed("#" + mix(a.0, b.0) + mix(a.1, b.1) + mix(a.2, b.2))
  }
}

package struct ObjectiveFigure: Hashable, Sendable {
  package struct Mark: Hashable, Sendable {
    /// The value of the axis's parameter, which is within the axis's ends but need not be one of
    /// its values.
    let value: Double
    let objective: Double?
  }

  struct Profile: Hashable, Sendable {
    let line: ObjectiveViews.Profile
    let mark: Mark?
    let defaultValue: Double?
    let plateau: Plateau.Extent?
  }

  package struct Names: Hashable, Sendable {
    let chosen: String
    let plateau: String
  }

  let title: String
  /// The closed range of possible objectives; an end may be infinite.
  let range: ClosedRange<Double>
  let names: Names
  let profiles: [Profile]
  let slice: ObjectiveViews.Slice?
  let known: [Double]

  /// The place of the marked settings in a slice, in rows and columns; nil if they are not on both
  /// axes.
  func mark(_ slice: ObjectiveViews.Slice) -> (row: Double, column: Double)? {
    let places = [slice.rowAxis, slice.columnAxis].map { axis in
      profiles[axis].mark.flatMap { profiles[axis].line.position(of: $0.value) }
    }
    guard let row = places[0], let column = places[1] else { return nil }
    return (row: row, column: column)
  }
}

extension ObjectiveFigure {
  init(_ stream: StreamRecommendation) {
    let isSameDetector = stream.detector == stream.found.detector
    self.init(
      stream.objective.metric, stream.views, parameters: stream.found.parameters,
      extents: stream.plateau?.axes ?? [],
      names: Names(chosen: stream.decision.isTaken ? "taken" : "recommended", plateau: "plateau")
    ) { line in
      let own = stream.parameters.first { $0.key == line.parameter }
      guard isSameDetector, let own, line.position(of: own.value) != nil else { return nil }
      return Mark(value: own.value, objective: stream.objective.recommended)
    }
  }

  init(
    _ objective: MetricKey, _ views: ObjectiveViews, parameters: [ParameterFact],
    extents: [Plateau.Extent] = [], names: Names,
    mark: (ObjectiveViews.Profile) -> Mark? = {
      Mark(value: $0.values[$0.chosen], objective: $0.objective[$0.chosen])
    }
  ) {
    let unit = objective.metric.unit == "-" ? "" : " (\(objective.metric.unit))"
    title = "\(objective.stream.rawValue): \(objective)\(unit)"
    range = objective.metric.range
    self.names = names
    profiles = views.profiles.map { line in
      Profile(
        line: line, mark: mark(line),
        defaultValue: parameters.first { $0.key == line.parameter }?.defaultValue,
        plateau: extents.first { $0.key == line.parameter })
    }
    slice = views.slice
    known = views.known + profiles.compactMap { $0.mark?.objective }
  }

  var axis: PlotAxis {
    let isLimited = range.lowerBound.isFinite || range.upperBound.isFinite
    return PlotAxis(known, within: isLimited && range.lowerBound < range.upperBound ? range : nil)
  }

  func svg() -> String {
    let layout = StreamLayout(self, showsCliffs: true)
    let height = layout.height + 34
    var canvas = SVGCanvas()
    canvas.box(
      x: 0, y: 0, width: TuningFigure.width, height: height, radius: 10, color: Theme.surface)
    layout.draw(at: 30, on: &canvas)
    return canvas.document(width: TuningFigure.width, height: height, title: title, isInPage: true)
  }

  var sketch: String {
    let width = profiles.map(\.line.title.count).max() ?? 0
    let lines = profiles.map { profile in
      let line = profile.line
      let name = PrintableText.of(line.title)
      let ends = [line.values[0], line.values[line.values.count - 1]].map(line.text)
      let mark = profile.mark.map { ", \(names.chosen) " + line.text($0.value) } ?? ""
      return "  " + name + String(repeating: " ", count: max(0, width - name.count) + 2) + ends[0]
        + " " + TerminalSketch.sparkline(line.objective) + " " + ends[1] + mark
    }
    return (["  " + PrintableText.of(title)] + lines + map).map { $0 + "\n" }.joined()
  }

  private var map: [String] {
    guard let slice else { return [] }
    let (rows, columns) = (profiles[slice.rowAxis].line, profiles[slice.columnAxis].line)
    guard columns.values.count <= 48 else { return [] }
    let marked = mark(slice).map { (row: Int($0.row.rounded()), column: Int($0.column.rounded())) }
    let texts = rows.values.map(rows.text)
    let width = texts.map(\.count).max() ?? 0
    let lines = rows.values.indices.reversed().map { row in
      let cells = columns.values.indices.map { column in
        let isChosen = marked.map { $0 == (row: row, column: column) } ?? false
        let mark = isChosen ? "()" : slice.isOnPlateau[row][column] ? "··" : "  "
        guard let value = slice.objective[row][column] else { return mark }
        return TerminalSketch.painted(mark, onShare: axis.share(value))
      }
      return "  " + String(repeating: " ", count: width - texts[row].count) + texts[row] + " "
        + cells.joined()
    }
    return [
      "",
      "  \(rows.title) upward, \(columns.title) to the right, "
        + "\(columns.text(columns.values[0])) to "
        + columns.text(columns.values[columns.values.count - 1]),
    ] + lines
  }
}

extension ObjectiveViews.Slice {
  /// The borders between a configuration of the plateau and an evaluated one outside it.
  ///
  /// A border is above the given place if it is upward, otherwise to its right.
  var cliffs: [(row: Int, column: Int, isUpward: Bool)] {
    func isCliff(_ a: (Int, Int), _ b: (Int, Int)) -> Bool {
      guard objective.indices.contains(b.0), objective[b.0].indices.contains(b.1) else {
        return false
      }
      return isOnPlateau[a.0][a.1] != isOnPlateau[b.0][b.1]
        && objective[a.0][a.1] != nil && objective[b.0][b.1] != nil
    }
    return objective.indices.flatMap { row in
      objective[row].indices.flatMap { column in
        [(row + 1, column, true), (row, column + 1, false)].filter {
          isCliff((row, column), ($0.0, $0.1))
        }.map { (row: row, column: column, isUpward: $0.2) }
      }
    }
  }
}

extension ObjectiveViews.Profile {
  private var factor: Double { unit == .meters ? 100 : 1 }

  var title: String {
    switch unit {
    case .ratio: parameter.rawValue
    case .meters: "\(parameter.rawValue) (cm)"
    default: "\(parameter.rawValue) (\(unit.rawValue))"
    }
  }

  func position(of value: Double) -> Double? {
    guard let next = values.firstIndex(where: { $0 >= value }) else { return nil }
    guard values[next] != value else { return Double(next) }
    guard next > 0 else { return nil }
    return Double(next) - (values[next] - value) / (values[next] - values[next - 1])
  }

  func text(_ value: Double) -> String { NumberText.short(value * factor) }

  var ticks: [(value: Double, text: String)] {
    let axis = PlotAxis([values.first ?? 0, values.last ?? 1].map { $0 * factor })
    return axis.ticks.map { ($0 / factor, axis.text($0)) }
  }
}

struct ProfilePanel {
  let profile: ObjectiveFigure.Profile
  let axis: PlotAxis
  let showsCliffs: Bool

  private var line: ObjectiveViews.Profile { profile.line }

  func draw(in canvas: inout SVGCanvas, at origin: SVGCanvas.Point, width: Double, height: Double) {
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
