internal import Evaluation
internal import ParameterTuning
@_spi(Bench) internal import PlankDetection
@_spi(Bench) internal import PoseModel

/// The objective along every axis around a cell, and over the two axes that matter most.
struct ObjectiveFigure: Hashable, Sendable, Decodable {
  /// The objective along one axis.
  struct Profile: Hashable, Sendable, Decodable {
    /// The parameter's name.
    let parameter: String
    /// The parameter's unit.
    let unit: String
    /// The values of the axis, ascending.
    let values: [Double]
    /// The objective at every value; nil where it is unknown.
    let objective: [Double?]
    /// Where the chosen cell stands.
    let chosen: Int
    /// The detector's default; nil where it is unknown.
    let defaultValue: Double?
    /// How far the plateau reaches; nil where it is unknown.
    let plateau: Reach?
  }

  /// How far a plateau reaches along an axis.
  struct Reach: Hashable, Sendable, Decodable {
    /// The least value on it.
    let from: Double
    /// The greatest value on it.
    let to: Double
    /// The nearest evaluated values that are not on it.
    let cliffs: [Double]
  }

  /// The objective over two axes.
  struct Slice: Hashable, Sendable, Decodable {
    /// The axis of the rows, an index of `profiles`.
    let rowAxis: Int
    /// The axis of the columns, an index of `profiles`.
    let columnAxis: Int
    /// The objective, row after row; nil where it is unknown.
    let objective: [[Double?]]
    /// Whether a cell lies on the plateau.
    let isOnPlateau: [[Bool]]

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

  /// What the marks of a picture are called.
  struct Names: Hashable, Sendable, Decodable {
    /// The chosen cell.
    let chosen: String
    /// The cells that are about as good.
    let plateau: String
  }

  /// The stream with its objective and the unit.
  let title: String
  /// The least number that the objective can be; nil without a bound.
  let least: Double?
  /// The greatest number that the objective can be; nil without a bound.
  let greatest: Double?
  /// What the marks are called.
  let names: Names
  /// The axes with more than one value.
  let profiles: [Profile]
  /// The two axes along which the objective changes most; nil with fewer than two.
  let slice: Slice?
}

extension ObjectiveFigure {
  /// What tuning saw around its recommendation for a stream.
  init(_ stream: StreamRecommendation) {
    self.init(
      stream: stream.stream.rawValue, objective: stream.evidence.objective, stream.views,
      parameters: stream.parameters, extents: stream.extents,
      names: Names(chosen: "recommended", plateau: "plateau"))
  }

  /// The objective around a cell.
  ///
  /// - Parameters:
  ///   - parameters: the detector's, which know their defaults.
  ///   - extents: how far the plateau reaches along axes.
  init(
    stream: String, objective: String, _ views: ObjectiveViews, parameters: [ParameterFact],
    extents: [Plateau.Extent] = [], names: Names
  ) {
    let metric = (try? MetricKey(objective))?.metric
    let unit = metric.map { $0.unit == "-" ? "" : " (\($0.unit))" } ?? ""
    title = "\(stream): \(objective)\(unit)"
    least = metric.map(\.range.lowerBound).flatMap { $0.isFinite ? $0 : nil }
    greatest = metric.map(\.range.upperBound).flatMap { $0.isFinite ? $0 : nil }
    self.names = names
    profiles = views.profiles.map { profile in
      Profile(
        parameter: profile.parameter, unit: profile.unit, values: profile.values,
        objective: profile.objective, chosen: profile.chosen,
        defaultValue: parameters.first { $0.key == profile.parameter }?.defaultValue,
        plateau: extents.first { $0.key.rawValue == profile.parameter }.map { extent in
          Reach(
            from: extent.values.lowerBound, to: extent.values.upperBound,
            cliffs: [extent.below.cliff, extent.above.cliff].compactMap(\.self))
        })
    }
    slice = views.slice.map {
      Slice(
        rowAxis: $0.rowAxis, columnAxis: $0.columnAxis, objective: $0.objective,
        isOnPlateau: $0.isOnPlateau)
    }
  }

  /// All values of the objective that are known.
  var known: [Double] {
    profiles.flatMap { $0.objective.compactMap(\.self) }
      + (slice?.objective.joined().compactMap(\.self) ?? [])
  }

  /// The axis of the objective around all of them, within what the metric can be.
  var axis: PlotAxis {
    let limits = least != nil || greatest != nil
    let (low, high) = (least ?? -.infinity, greatest ?? .infinity)
    return PlotAxis(known, within: limits && low < high ? low...high : nil)
  }

  /// Whether every list has as many numbers as its axes have values, so that it can be drawn.
  var isConsistent: Bool {
    let isLined = profiles.allSatisfy { profile in
      !profile.values.isEmpty && profile.objective.count == profile.values.count
        && profile.values.indices.contains(profile.chosen)
    }
    guard isLined, let slice else { return isLined }
    guard profiles.indices.contains(slice.rowAxis), profiles.indices.contains(slice.columnAxis)
    else { return false }
    let (rows, columns) = (
      profiles[slice.rowAxis].values.count, profiles[slice.columnAxis].values.count
    )
    return slice.objective.count == rows && slice.isOnPlateau.count == rows
      && slice.objective.allSatisfy { $0.count == columns }
      && slice.isOnPlateau.allSatisfy { $0.count == columns }
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

  /// The profiles as bars, a line each, and the slice as a map of colors.
  var sketch: String {
    let width = profiles.map(\.title.count).max() ?? 0
    let lines = profiles.map { profile in
      let name = PrintableText.of(profile.title)
      let ends = [profile.values[0], profile.values[profile.values.count - 1]].map(profile.text)
      return "  " + name + String(repeating: " ", count: max(0, width - name.count) + 2) + ends[0]
        + " " + TerminalSketch.sparkline(profile.objective) + " " + ends[1] + ", \(names.chosen) "
        + profile.text(profile.values[profile.chosen])
    }
    return (["  " + PrintableText.of(title)] + lines + map).map { $0 + "\n" }.joined()
  }

  /// The slice in colors, `()` at the chosen cell and dots on the plateau.
  private var map: [String] {
    guard let slice else { return [] }
    let (rows, columns) = (profiles[slice.rowAxis], profiles[slice.columnAxis])
    guard columns.values.count <= 48 else { return [] }
    let texts = rows.values.map(rows.text)
    let width = texts.map(\.count).max() ?? 0
    let lines = rows.values.indices.reversed().map { row in
      let cells = columns.values.indices.map { column in
        let isChosen = row == rows.chosen && column == columns.chosen
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

  /// The figure as JSON.
  var json: JSONValue {
    .object([
      "title": .string(title), "least": .optional(least), "greatest": .optional(greatest),
      "names": .object(["chosen": .string(names.chosen), "plateau": .string(names.plateau)]),
      "profiles": .array(profiles.map(\.json)), "slice": slice?.json ?? .null,
    ])
  }
}

extension ObjectiveFigure.Profile {
  fileprivate enum CodingKeys: String, CodingKey {
    case parameter, unit, values, objective, chosen, plateau
    case defaultValue = "default"
  }

  fileprivate var json: JSONValue {
    .object([
      "parameter": .string(parameter), "unit": .string(unit),
      "values": .array(values.map(JSONValue.number)),
      "objective": .array(objective.map { .optional($0) }), "chosen": .integer(chosen),
      "default": .optional(defaultValue),
      "plateau": plateau.map {
        .object([
          "from": .number($0.from), "to": .number($0.to),
          "cliffs": .array($0.cliffs.map(JSONValue.number)),
        ])
      } ?? .null,
    ])
  }
}

extension ObjectiveFigure.Slice {
  fileprivate enum CodingKeys: String, CodingKey {
    case objective
    case rowAxis = "row_axis"
    case columnAxis = "column_axis"
    case isOnPlateau = "is_on_plateau"
  }

  fileprivate var json: JSONValue {
    .object([
      "row_axis": .integer(rowAxis), "column_axis": .integer(columnAxis),
      "objective": .array(objective.map { .array($0.map { .optional($0) }) }),
      "is_on_plateau": .array(isOnPlateau.map { .array($0.map(JSONValue.bool)) }),
    ])
  }
}
