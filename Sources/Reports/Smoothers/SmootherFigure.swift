internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseModel

package struct SmootherFigure: Hashable, Sendable {
  package struct Picture {
    package let name: String
    let heading: String
    let figure: SmootherFigure

    package var svg: String { LagPlot(figure: figure).svg }
  }

  package static func all(_ comparison: SmootherComparison, on dataset: String) -> [Picture] {
    let subtitle = "\(dataset), \(comparison.target.rawValue) smoothed"
    var pictures = [
      Picture(
        name: "jitter-lag", heading: SmootherComparison.jitterHeading,
        figure: SmootherFigure(
          comparison, title: "Jitter against lag", subtitle: subtitle,
          unit: "jitter in holds, share of raw"
        ) { $0.calm.step.number }),
      Picture(
        name: "spread-lag", heading: SmootherComparison.spreadHeading,
        figure: SmootherFigure(
          comparison, title: "Spread against lag", subtitle: subtitle,
          unit: "robust spread in holds, share of raw"
        ) { $0.calm.spread.number }),
    ]
    let key = MetricKey(.falseTransitionsPerMinute, in: .plank)
    let rates = comparison.points.compactMap { $0.answers?[key]?.number }
    if (rates.max() ?? 0) > 0 {
      pictures.append(
        Picture(
          name: "false-transitions-lag", heading: SmootherComparison.answersHeading,
          figure: SmootherFigure(
            comparison, title: "False transitions against lag", subtitle: subtitle,
            unit: "false plank transitions per minute"
          ) { $0.answers?[key]?.number }))
    }
    return pictures
  }

  package struct Place: Hashable, Sendable {
    let lag: Double
    let value: Double
  }

  struct Curve: Hashable, Sendable {
    let family: SmootherFamily
    let series: Int?
    let isCausal: Bool
    let points: [Place]

    var isTuned: Bool { family.origin == .search }

    var color: ThemeColor? {
      series.flatMap { Theme.series.indices.contains($0) ? Theme.series[$0] : nil }
    }
  }

  struct Recommended: Hashable, Sendable {
    let name: String
    let place: Place
    let meaning: String
  }

  let title: String
  let subtitle: String
  let unit: String
  let curves: [Curve]
  let front: [Place]
  let recommended: Recommended?
  var scale: SmootherScale { SmootherScale(curves.flatMap(\.points)) }

  init(
    _ comparison: SmootherComparison, title: String, subtitle: String, unit: String,
    _ number: (SmootherPoint) -> Double?
  ) {
    func place(_ point: SmootherPoint) -> Place? {
      guard let lag = point.delay.lag.number, let value = number(point) else { return nil }
      return Place(lag: 1000 * lag, value: value)
    }
    self.title = title
    self.unit = unit
    self.subtitle = subtitle
    let front = comparison.front.front
    let colors = Self.colors(front + [comparison.marked].compactMap(\.self))
    curves = comparison.points.map(\.family).distinct.map { family in
      let members = comparison.points.filter { $0.family == family }
      return Curve(
        family: family, series: colors[family], isCausal: members.allSatisfy(\.isCausal),
        points: members.compactMap(place).sorted { $0.lag < $1.lag })
    }
    self.front = front.compactMap(place)
    let isTrade = comparison.marked == comparison.bestTrade
    recommended = comparison.marked.flatMap { point in
      place(point).map {
        Recommended(
          name: point.name, place: $0, meaning: isTrade ? "least jitter plus lag" : "recommended")
      }
    }
  }

  private static func colors(_ points: [SmootherPoint]) -> [SmootherFamily: Int] {
    var colors: [SmootherFamily: Int] = [:]
    for point in points where colors[point.family] == nil && colors.count < Theme.series.count {
      colors[point.family] = colors.count
    }
    return colors
  }

  var places: [Place] { curves.flatMap(\.points) + front + [recommended?.place].compactMap(\.self) }

  var isEmpty: Bool { curves.allSatisfy(\.points.isEmpty) }

  private static let cells = (columns: 68, rows: 16)

  var sketch: String {
    let scale = scale
    let blank = Array(repeating: Character(" "), count: Self.cells.columns)
    var cells = Array(repeating: blank, count: Self.cells.rows)
    func mark(_ place: Place, _ character: Character) {
      let share = scale.share(place)
      let column = Int((share.x * Double(Self.cells.columns - 1)).rounded())
      let row = Int((share.y * Double(Self.cells.rows - 1)).rounded())
      cells[min(max(row, 0), Self.cells.rows - 1)][
        min(max(column, 0), Self.cells.columns - 1)] = character
    }
    for place in curves.flatMap(\.points) { mark(place, "·") }
    for place in front { mark(place, "o") }
    if let recommended { mark(recommended.place, "●") }
    let lines = cells.map { "  │" + String($0) }
    let axis = "  └" + String(repeating: "─", count: Self.cells.columns)
    let words =
      "   \(unit) upward (0 to \(NumberText.fixed(scale.greatestValue, 2))), lag to the "
      + "right (0 to \(NumberText.fixed(scale.greatestLag, 0)) ms, logarithmic)"
    let best = recommended.map { ["   ● " + PrintableText.of($0.name) + "   o front"] } ?? []
    return (lines + [axis, words] + best).map { $0 + "\n" }.joined()
  }
}

/// Lags have a logarithmic scale from 5 ms up, with a column for smaller lags.
///
/// The other number has a square-root scale, because smoothers differ most near 0.
struct SmootherScale {
  private static let leastLag = 5.0
  private static let column = 0.064
  private static let leastStep = 0.052

  let greatestLag: Double
  let greatestValue: Double

  init(_ points: [SmootherFigure.Place]) {
    greatestLag = max(100, points.map(\.lag).max() ?? 100) * 1.1
    greatestValue = max(points.map(\.value).max() ?? 1, 1e-6) * 1.03
  }

  /// Counted from the left and from the top.
  func share(_ point: SmootherFigure.Place) -> (x: Double, y: Double) {
    (x(point.lag), y(point.value))
  }

  var lagTicks: [Double] { [0] + Self.ladder(upTo: greatestLag).filter { $0 >= 10 } }

  var valueTicks: [Double] {
    var ticks = [0.0]
    var last = y(0)
    for tick in Self.ladder(upTo: greatestValue) where last - y(tick) >= Self.leastStep {
      ticks.append(tick)
      last = y(tick)
    }
    return ticks
  }

  private static func ladder(upTo greatest: Double) -> [Double] {
    var steps: [Double] = []
    var hundredths = 1.0
    while hundredths / 100 <= greatest {
      steps += [1, 2, 5].map { $0 * hundredths / 100 }.filter { $0 <= greatest }
      hundredths *= 10
    }
    return steps
  }

  private func x(_ lag: Double) -> Double {
    guard lag >= Self.leastLag else { return Self.column / 2 }
    return Self.column
      + (1 - Self.column) * log(lag / Self.leastLag) / log(greatestLag / Self.leastLag)
  }

  private func y(_ value: Double) -> Double {
    1 - (max(0, value) / greatestValue).squareRoot()
  }
}
