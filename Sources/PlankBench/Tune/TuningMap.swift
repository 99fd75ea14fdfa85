internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

struct TuningMap {
  private let stream: StreamRecommendation
  private let views: ObjectiveViews

  init(_ stream: StreamRecommendation) {
    self.stream = stream
    views = stream.views
  }

  var html: HTML {
    let picture: HTML = main.isEmpty ? nothing : main
    let curves: HTML =
      views.slice == nil && views.profiles.count < 2
      ? .empty
      : """
      <h3>One parameter at a time</h3>
      <p class="note">Through the best found values; the band does as well as the best. \
      Point at a value for its number.</p>
      <div class="profiles">\(views.profiles.map { profile($0).html })</div>

      """
    return """
      <section class="panel"><h2>\(stream.stream.title): where it holds</h2>
      <div class="holds"><div>\(picture)</div>\
      \(Watchlist(groups: [warnings, edges, stress, folds]).html)</div>
      \(curves)</section>

      """
  }

  private var nothing: HTML {
    stream.axes.isEmpty
      ? "<p>The experiment has no axis for this stream, so there is no map.</p>\n"
      : "<p>No axis has more than one value with a number, so there is no map.</p>\n"
  }

  private var main: HTML {
    if let map { return map.html }
    guard views.profiles.count == 1 else { return .empty }
    let keys: [HTML] = settings.map { mark($0, [views.profiles[0]]).key }
    var curve = profile(views.profiles[0])
    curve.height = 300
    return curve.html.isEmpty ? .empty : "\(curve.html)<p class=\"legend\">\(keys)</p>\n"
  }
}

extension TuningMap {
  private typealias Setting = (
    kind: SettingMark.Kind, name: String, values: [ParameterFact], objective: Double?
  )

  private var settings: [Setting] {
    let isUsed = stream.decision.usesFound
    let found: Setting = (
      isUsed ? .use : .found, isUsed ? "to use" : "best found, not used",
      stream.found.parameters, stream.objective.found
    )
    guard stream.start.detector == stream.found.detector else { return isUsed ? [found] : [] }
    let own: Setting = (
      isUsed ? .own : .use, isUsed ? "yours" : "yours, kept", stream.start.parameters,
      stream.objective.startingPoint
    )
    let usual: Setting = (.usual, "the detector's default", defaults, nil)
    var settings = isUsed ? [found] : [own]
    for other in [own, found, usual] where !settings.contains(where: { isSame($0, other) }) {
      settings.append(other)
    }
    return settings
  }

  private var defaults: [ParameterFact] { stream.start.parameters.map(\.atDefault) }

  private func isSame(_ first: Setting, _ second: Setting) -> Bool {
    views.profiles.allSatisfy { line in
      Self.value(line, first.values) == Self.value(line, second.values)
    }
  }

  private static func value(
    _ line: ObjectiveViews.Profile, _ facts: [ParameterFact]
  ) -> Double? {
    facts.first { $0.key == line.parameter }?.value
  }

  private func mark(_ setting: Setting, _ lines: [ObjectiveViews.Profile]) -> SettingMark {
    let values = lines.compactMap { line in
      setting.values.first { $0.key == line.parameter }?.sentence
    }
    return SettingMark(
      kind: setting.kind, text: "\(setting.name): \(values.joined(separator: ", "))")
  }

  private var map: HeatMap? {
    guard let slice = views.slice else { return nil }
    let (rows, columns) = (views.profiles[slice.rowAxis], views.profiles[slice.columnAxis])
    let marks = settings.compactMap { setting -> HeatMap.Mark? in
      guard let row = Self.value(rows, setting.values),
        let column = Self.value(columns, setting.values)
      else { return nil }
      return HeatMap.Mark(setting: mark(setting, [rows, columns]), column: column, row: row)
    }
    return HeatMap(stream.objective.metric, slice, of: views, marks: marks)
  }

  private func profile(_ line: ObjectiveViews.Profile) -> ProfilePlot {
    let marks = settings.compactMap { setting -> ProfilePlot.Mark? in
      guard let value = Self.value(line, setting.values) else { return nil }
      let isStem = setting.kind == .own || setting.kind == .usual
      return ProfilePlot.Mark(
        setting: mark(setting, [line]), value: value, number: isStem ? nil : setting.objective)
    }
    let extent = stream.plateau(of: line.parameter)
    return ProfilePlot(
      name: line.parameter.rawValue, unit: line.shownUnit, metric: "\(stream.objective.metric)",
      values: line.values, numbers: line.objective,
      plateau: extent.map { $0.from...max($0.from, $0.to) }, marks: marks,
      axis: ObjectiveFigure(stream).axis)
  }
}

extension HeatMap {
  init(
    _ metric: MetricKey, _ slice: ObjectiveViews.Slice, of views: ObjectiveViews, marks: [Mark]
  ) {
    func axis(_ line: ObjectiveViews.Profile) -> Axis {
      Axis(
        name: line.parameter.rawValue, unit: line.shownUnit, scale: StepScale(values: line.values))
    }
    let (rows, columns) = (views.profiles[slice.rowAxis], views.profiles[slice.columnAxis])
    self.init(
      title: "\(metric) over \(columns.parameter.rawValue) and \(rows.parameter.rawValue)",
      metric: "\(metric)", columns: axis(columns), rows: axis(rows), cells: slice.objective,
      isOnPlateau: slice.isOnPlateau, marks: marks)
  }
}

extension TuningMap {
  private var warnings: Watchlist.Group {
    Watchlist.Group(
      title: "Watch for",
      rows: stream.warnings.map { Watchlist.Row(name: $0, text: "!", isBad: true) })
  }

  private var edges: Watchlist.Group {
    guard let plateau = stream.plateau else { return Watchlist.Group(title: "") }
    let sides = plateau.axes.flatMap { extent in
      [extent.below, extent.above].map { (extent: extent, side: $0) }
    }
    let rows = sides.sorted { $0.side.steps < $1.side.steps }.compactMap { extent, side in
      side.cliff.map { row(extent, at: $0, steps: side.steps) }
    }
    let note =
      (rows.isEmpty ? "No cliff was seen. " : "")
      + (plateau.isLimitedByEdge
        ? "The tried values end after \(NumberText.count(plateau.margin, "step")), so the plateau "
          + "may be larger." : "")
    return Watchlist.Group(
      title: stream.decision.usesFound || stream.decision.reason == .same
        ? "How far to the edge" : "How far to the edge, from the best found",
      rows: rows, note: note)
  }

  private func row(_ extent: Plateau.Extent, at cliff: Double, steps: Int) -> Watchlist.Row {
    let line = views.profiles.first { $0.parameter == extent.key }
    let there = line.flatMap { line in
      line.values.firstIndex(of: cliff).flatMap { line.objective[$0] }
    }
    let change = there.map { $0 - stream.objective.foundOnGrid }
    let unit = line?.shownUnit ?? ""
    return Watchlist.Row(
      name:
        "`\(extent.key.rawValue)` at \(NumberText.short(cliff))\(unit.isEmpty ? "" : " " + unit)",
      detail: NumberText.count(steps, "step"),
      text: change.map { NumberText.signed($0, 3) } ?? "undefined", isBad: isLoss(change))
  }

  private func isLoss(_ change: Double?) -> Bool {
    guard let change else { return false }
    let gain = stream.objective.metric.metric.higherIsBetter ? change : -change
    return gain < -max(stream.objective.tolerance, 1e-12)
  }

  private var stress: Watchlist.Group {
    let rows = stream.worseFrames.map { row in
      let change = row.objective.flatMap { worse in
        stream.objective.recommended.map { worse - $0 }
      }
      return Watchlist.Row(
        name: row.condition.rawValue, text: change.map { NumberText.signed($0, 3) } ?? "undefined",
        isBad: isLoss(change))
    }
    return Watchlist.Group(
      title: "On worse frames", rows: rows,
      note: rows.isEmpty ? "" : "Change of `\(stream.objective.metric)` with the values to use.")
  }

  private var folds: Watchlist.Group {
    let folds = stream.validation.folds
    guard !folds.isEmpty else {
      return Watchlist.Group(title: "Without each person", note: "Nobody was held out.")
    }
    let same = folds.count { fold in
      fold.detector == stream.found.detector && fold.smoothing == stream.found.smoothing
        && fold.parameters == stream.found.parameters
    }
    let unit = stream.validation.heldOut?.unit ?? .people
    let share = stream.validation.samePlateauShare.map {
      "\(NumberText.percent($0)) of the resamples of people choose the same plateau."
    }
    return Watchlist.Group(
      title: "Without some \(unit.rawValue)",
      rows: [
        Watchlist.Row(
          name: "the others choose the same values", text: "\(same) of \(folds.count) times")
      ], note: share ?? "")
  }
}

extension ObjectiveViews.Profile {
  var shownUnit: String { unit == .ratio || unit == .frames ? "" : unit.rawValue }
}
