internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

struct ObjectiveFigure: Hashable, Sendable {
  struct Mark: Hashable, Sendable {
    /// The value of the axis's parameter, within its ends but not necessarily one of its values.
    let value: Double
    let objective: Double?
  }

  struct Profile: Hashable, Sendable {
    let line: ObjectiveViews.Profile
    let mark: Mark?
    let defaultValue: Double?
    let plateau: Plateau.Extent?
  }

  struct Names: Hashable, Sendable {
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
}

extension ObjectiveFigure {
  init(_ stream: StreamRecommendation) {
    let isSameDetector = stream.detector == stream.found.detector
    self.init(
      stream.objective.metric, stream.views, parameters: stream.found.parameters,
      extents: stream.plateau?.axes ?? [],
      names: Names(
        chosen: stream.decision.isTaken ? "taken" : "recommended", plateau: "plateau")
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
    return canvas.document(
      width: TuningFigure.width, height: height, title: title, isInPage: true)
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

extension ObjectiveFigure {
  /// Where the marked settings are among the cells of a slice, in rows and columns; nil if they are
  /// not on both axes.
  func mark(_ slice: ObjectiveViews.Slice) -> (row: Double, column: Double)? {
    let places = [slice.rowAxis, slice.columnAxis].map { axis in
      profiles[axis].mark.flatMap { profiles[axis].line.position(of: $0.value) }
    }
    guard let row = places[0], let column = places[1] else { return nil }
    return (row: row, column: column)
  }
}

extension ObjectiveViews.Slice {
  /// Between a plateau's cell and an evaluated one: above a cell where upward, else at its right.
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
