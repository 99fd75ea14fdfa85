internal import Evaluation
internal import PoseModel
internal import Tuning

/// The lines pass through the cell found.
///
/// The shaded region is the plateau, the disk marks the recommended values with their objective,
/// and the dashed line is the detector's default.
struct TuningFigure: Sendable {
  let tuning: ResultEnvelope<TuningResult>
  static let width = 960.0
  static let margin = 24.0

  func svg() -> String {
    let (result, name) = (tuning.result, tuning.origin.datasetName)
    let layouts = result.streams.map { StreamLayout(ObjectiveFigure($0), showsCliffs: false) }
    let height = layouts.reduce(Self.margin + 68) { $0 + $1.height } + Self.margin
    var canvas = SVGCanvas()
    canvas.box(x: 0, y: 0, width: Self.width, height: height, radius: 10, color: Theme.surface)
    var top = Self.margin + 16
    let title = result.question ?? "Tuning on \(name)"
    canvas.text(
      title, at: .init(x: Self.margin, y: top), SVGCanvas.TextStyle(size: 18, isBold: true))
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
      figure.title,
      at: .init(x: TuningFigure.margin, y: top), .init(size: 15, isBold: true))
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
        x: TuningFigure.margin,
        y: top + Self.headHeight + profileRows * Self.panel.height + 6))
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
    func center(_ row: Int, _ column: Int) -> SVGCanvas.Point {
      place(Double(row), Double(column))
    }
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
          height: cell.height, radius: 0, color: color(slice.objective[row][column]),
          isTile: true)
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
      canvas.text(
        rows.text(rows.values[row]), at: .init(x: left - 7, y: center(row, 0).y + 4), end)
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
