internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

struct ObjectivePlots {
  struct Setting {
    let kind: SettingMark.Kind
    let name: String
    let values: [ParameterFact]
    /// Nil for a setting that the curves need not pass through.
    let objective: Double?

    func value(_ line: ObjectiveViews.Profile) -> Double? {
      values.first { $0.key == line.parameter }?.value
    }

    func mark(_ lines: [ObjectiveViews.Profile]) -> SettingMark {
      let facts = lines.compactMap { line in values.first { $0.key == line.parameter }?.sentence }
      return SettingMark(kind: kind, text: "\(name): \(facts.joined(separator: ", "))")
    }
  }

  let metric: MetricKey
  let views: ObjectiveViews
  let settings: [Setting]
  var extents: [Plateau.Extent] = []
  let axis: PlotAxis

  var map: HeatMap? {
    guard let slice = views.slice else { return nil }
    let (rows, columns) = (views.profiles[slice.rowAxis], views.profiles[slice.columnAxis])
    let marks = settings.compactMap { setting -> HeatMap.Mark? in
      guard let row = setting.value(rows), let column = setting.value(columns) else { return nil }
      return HeatMap.Mark(setting: setting.mark([rows, columns]), column: column, row: row)
    }
    func axis(_ line: ObjectiveViews.Profile) -> HeatMap.Axis {
      HeatMap.Axis(
        name: line.parameter.rawValue, unit: line.shownUnit, scale: StepScale(values: line.values))
    }
    return HeatMap(
      title: "\(metric) over \(columns.parameter.rawValue) and \(rows.parameter.rawValue)",
      metric: "\(metric)", columns: axis(columns), rows: axis(rows), cells: slice.objective,
      isOnPlateau: slice.isOnPlateau, marks: marks)
  }

  var profiles: [ProfilePlot] {
    views.profiles.map { line in
      let marks = settings.compactMap { setting in
        setting.value(line).map {
          ProfilePlot.Mark(setting: setting.mark([line]), value: $0, number: setting.objective)
        }
      }
      let extent = extents.first { $0.key == line.parameter }
      return ProfilePlot(
        name: line.parameter.rawValue, unit: line.shownUnit, metric: "\(metric)",
        values: line.values, numbers: line.objective,
        plateau: extent.map { $0.from...max($0.from, $0.to) }, marks: marks, axis: axis)
    }
  }

  /// Empty unless there is one curve and no map.
  var keys: [PlotKey] {
    views.slice == nil && views.profiles.count == 1
      ? settings.map { $0.mark(views.profiles).key } : []
  }

  var isEmpty: Bool { views.known.isEmpty }

  private static let columns = 3

  /// Returns the lower edge.
  func draw(on canvas: inout SVGCanvas, at point: SVGCanvas.Point, width: Double) -> Double {
    var y = map.map { $0.draw(on: &canvas, at: point, width: width) + 12 } ?? point.y
    let step = width / Double(Self.columns)
    for (index, profile) in profiles.enumerated() {
      let column = index % Self.columns
      let place = SVGCanvas.Point(x: point.x + step * Double(column), y: y)
      let bottom = profile.draw(on: &canvas, at: place, width: step)
      if column == Self.columns - 1 || index == profiles.count - 1 { y = bottom }
    }
    return canvas.keys(keys, at: .init(x: point.x, y: y), width: width)
  }
}

extension ResultEnvelope<TuningResult> {
  package var picture: String {
    let title = result.question ?? "Tuning on \(origin.datasetName)"
    let size = NumberText.count(result.sequences, "sequence")
    return SVGCanvas.picture(title, "\(origin.datasetName), \(size)", width: 960) { canvas, top in
      result.streams.reduce(top) { top, stream in
        let plots = TuningMap(stream).plots
        canvas.text(
          ObjectiveFigure(stream).title, at: .init(x: 24, y: top + 12),
          .init(size: 15, isBold: true))
        let place = SVGCanvas.Point(x: 24, y: top + 24)
        guard !plots.isEmpty else {
          canvas.text(
            "no axis has more than one value", at: .init(x: 24, y: top + 42),
            .init(color: Theme.dim))
          return top + 66
        }
        return plots.draw(on: &canvas, at: place, width: 912) + 24
      }
    }
  }
}

package struct ObjectiveFigure: Hashable, Sendable {
  package struct Mark: Hashable, Sendable {
    let value: Double
    let objective: Double?
  }

  struct Profile: Hashable, Sendable {
    let line: ObjectiveViews.Profile
    let mark: Mark?
  }

  let title: String
  /// The possible objectives; an end may be infinite.
  let range: ClosedRange<Double>
  /// What the terminal calls the marked values.
  let chosen: String
  let profiles: [Profile]
  let slice: ObjectiveViews.Slice?
  let known: [Double]

  /// In rows and columns; nil if the marked settings are not on both axes.
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
      stream.objective.metric, stream.views,
      chosen: stream.decision.isTaken ? "taken" : "recommended"
    ) { line in
      let own = stream.parameters.first { $0.key == line.parameter }
      guard isSameDetector, let own, line.position(of: own.value) != nil else { return nil }
      return Mark(value: own.value, objective: stream.objective.recommended)
    }
  }

  init(
    _ objective: MetricKey, _ views: ObjectiveViews, chosen: String,
    mark: (ObjectiveViews.Profile) -> Mark? = {
      Mark(value: $0.values[$0.chosen], objective: $0.objective[$0.chosen])
    }
  ) {
    let unit = objective.metric.unit == "-" ? "" : " (\(objective.metric.unit))"
    title = "\(objective.stream.rawValue): \(objective)\(unit)"
    range = objective.metric.range
    self.chosen = chosen
    profiles = views.profiles.map { Profile(line: $0, mark: mark($0)) }
    slice = views.slice
    known = views.known + profiles.compactMap { $0.mark?.objective }
  }

  var axis: PlotAxis {
    let isLimited = range.lowerBound.isFinite || range.upperBound.isFinite
    return PlotAxis(known, within: isLimited && range.lowerBound < range.upperBound ? range : nil)
  }

  var sketch: String {
    let width = profiles.map(\.line.title.count).max() ?? 0
    let lines = profiles.map { profile in
      let line = profile.line
      let name = PrintableText.of(line.title)
      let ends = [line.values[0], line.values[line.values.count - 1]].map(line.text)
      let mark = profile.mark.map { ", \(chosen) " + line.text($0.value) } ?? ""
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

  var shownUnit: String { unit == .ratio || unit == .frames ? "" : unit.rawValue }
}
