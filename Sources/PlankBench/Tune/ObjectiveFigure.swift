internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

/// The objective along every axis around a cell, and over the two axes that matter most.
struct ObjectiveFigure: Hashable, Sendable {
  /// Where the marked settings are on one axis.
  struct Mark: Hashable, Sendable {
    /// The value of the axis's parameter, within its ends but not necessarily one of its values.
    let value: Double
    /// The objective of the marked settings; nil if it is undefined.
    let objective: Double?
  }

  /// The objective along one axis.
  struct Profile: Hashable, Sendable {
    /// The values of the axis, each with its objective.
    let line: ObjectiveViews.Profile
    /// Where the marked settings are; nil if they are not on the axis.
    let mark: Mark?
    /// The detector's default; nil where it is unknown.
    let defaultValue: Double?
    /// How far the plateau reaches; nil where it is unknown.
    let plateau: Plateau.Extent?
  }

  /// The names of the marks in a picture.
  struct Names: Hashable, Sendable {
    /// The marked settings.
    let chosen: String
    /// The cells that are about as good as the best one.
    let plateau: String
  }

  /// The stream with its objective and the unit.
  let title: String
  /// The closed range of possible objectives; an end may be infinite.
  let range: ClosedRange<Double>
  /// The names of the marks.
  let names: Names
  /// The axes with more than one value.
  let profiles: [Profile]
  /// The two axes along which the objective changes most; nil with fewer than two.
  let slice: ObjectiveViews.Slice?
  /// All values of the objective that are known.
  let known: [Double]
}

extension ObjectiveFigure {
  /// The objective that tuning found for a stream, with a mark at what is recommended.
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

  /// The objective around a cell.
  ///
  /// - Parameters:
  ///   - parameters: the detector's, which know their defaults.
  ///   - extents: how far the plateau reaches along axes.
  ///   - mark: where the marked settings are on an axis; at the cell unless given.
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

  /// The axis of the objective around all of them, within the metric's range.
  var axis: PlotAxis {
    let isLimited = range.lowerBound.isFinite || range.upperBound.isFinite
    return PlotAxis(known, within: isLimited && range.lowerBound < range.upperBound ? range : nil)
  }

  /// The picture for a page, with the plateau's cliffs.
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

  /// The profiles as bars, one line per profile, and the slice as a map of colors.
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

  /// The slice in colors, `()` at the cell nearest to the mark and dots on the plateau.
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
  /// The edges between a plateau's cell and an evaluated one beside it: above a cell where
  /// upward, else at its right.
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
  /// The factor by which a value is multiplied to be drawn: lengths are drawn in centimeters.
  private var factor: Double { unit == .meters ? 100 : 1 }

  /// The parameter with the unit in which it is drawn.
  var title: String {
    switch unit {
    case .ratio: parameter.rawValue
    case .meters: "\(parameter.rawValue) (cm)"
    default: "\(parameter.rawValue) (\(unit.rawValue))"
    }
  }

  /// The position of a value among those of the axis, a fraction between two of them; nil beyond
  /// the ends.
  func position(of value: Double) -> Double? {
    guard let next = values.firstIndex(where: { $0 >= value }) else { return nil }
    guard values[next] != value else { return Double(next) }
    guard next > 0 else { return nil }
    return Double(next) - (values[next] - value) / (values[next] - values[next - 1])
  }

  /// A value as it is drawn.
  func text(_ value: Double) -> String { NumberText.short(value * factor) }

  /// Round values of the parameter at which to label an axis, with their texts.
  var ticks: [(value: Double, text: String)] {
    let axis = PlotAxis([values.first ?? 0, values.last ?? 1].map { $0 * factor })
    return axis.ticks.map { ($0 / factor, axis.text($0)) }
  }
}
