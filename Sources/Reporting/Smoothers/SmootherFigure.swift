internal import Evaluation

/// A picture of every smoother's lag against another number, a curve a family.
struct SmootherFigure {
  /// A picture with its place in the report.
  struct Picture {
    /// The file's name without ending.
    let name: String
    /// The heading that it follows.
    let heading: String
    /// The picture.
    let svg: String
  }

  /// The pictures of a comparison.
  static func all(_ comparison: SmootherComparison) -> [Picture] {
    var pictures = [
      Picture(
        name: "jitter-lag", heading: SmootherComparison.jitterHeading,
        svg: SmootherFigure(
          comparison, title: "Jitter against lag", unit: "jitter on holds, share of raw"
        ) { $0.calm.step.number }.svg()),
      Picture(
        name: "spread-lag", heading: SmootherComparison.spreadHeading,
        svg: SmootherFigure(
          comparison, title: "Spread against lag", unit: "robust spread on holds, share of raw"
        ) { $0.calm.spread.number }.svg()),
    ]
    let key = "plank.false_transitions_per_minute"
    let rates = comparison.points.compactMap { $0.answers?.value(key).number }
    if (rates.max() ?? 0) > 0 {
      pictures.append(
        Picture(
          name: "false-transitions-lag", heading: SmootherComparison.answersHeading,
          svg: SmootherFigure(
            comparison, title: "False transitions against lag",
            unit: "false plank transitions a minute"
          ) { $0.answers?.value(key).number }.svg()))
    }
    return pictures
  }

  private let title: String
  private let subtitle: String
  private let unit: String
  private let curves: [(family: String, isCausal: Bool, points: [(lag: Double, value: Double)])]
  private let front: [(lag: Double, value: Double)]
  private let recommended: (lag: Double, value: Double)?
  private let scale: SmootherScale

  init(
    _ comparison: SmootherComparison, title: String, unit: String,
    _ number: (SmootherPoint) -> Double?
  ) {
    func place(_ point: SmootherPoint) -> (lag: Double, value: Double)? {
      guard let lag = point.delay.lag.number, let value = number(point) else { return nil }
      return (1000 * lag, value)
    }
    self.title = title
    self.unit = unit
    subtitle =
      "\(comparison.dataset.name), \(comparison.target) smoothed; rings: the front of jitter and "
      + "lag, filled: recommended, dashed: looks ahead"
    var order: [String] = []
    for point in comparison.points where !order.contains(point.family) {
      order.append(point.family)
    }
    curves = order.map { family in
      let members = comparison.points.filter { $0.family == family }
      return (family, members.allSatisfy(\.isCausal), members.compactMap(place))
    }
    front = comparison.front.front.compactMap(place)
    recommended = comparison.recommended.flatMap(place)
    scale = SmootherScale(curves.flatMap(\.points))
  }

  /// The picture as SVG.
  func svg() -> String {
    var canvas = SVGCanvas()
    canvas.box(x: 0, y: 0, width: 1040, height: 560, radius: 8, color: "#ffffff")
    canvas.text(title, at: .init(x: 24, y: 34), .init(size: 18, isBold: true))
    canvas.text(subtitle, at: .init(x: 24, y: 55), .init(size: 12, color: "#52606d"))
    scale.draw(on: &canvas, unit: unit)
    for (index, curve) in curves.enumerated() {
      let color = curve.isCausal ? Self.colors[index % Self.colors.count] : "#9aa5b1"
      draw(curve.points, color, isCausal: curve.isCausal, on: &canvas)
      let y = 86 + 19 * Double(index)
      canvas.line(
        .init(x: 800, y: y - 4), .init(x: 822, y: y - 4), color: color, width: 2.5,
        dash: curve.isCausal ? nil : "4 4")
      canvas.text(curve.family, at: .init(x: 830, y: y), .init(size: 12))
    }
    for point in front {
      canvas.disk(scale.place(point), radius: 4.5, color: "#ffffff", outline: "#1f2933")
    }
    if let recommended {
      canvas.disk(scale.place(recommended), radius: 6, color: "#de3a11", outline: "#ffffff")
    }
    return canvas.document(width: 1040, height: 560, title: title)
  }

  private func draw(
    _ points: [(lag: Double, value: Double)], _ color: String, isCausal: Bool,
    on canvas: inout SVGCanvas
  ) {
    let places = points.sorted { $0.lag < $1.lag }.map(scale.place)
    for (a, b) in zip(places, places.dropFirst()) {
      canvas.line(a, b, color: color, width: 1.8, dash: isCausal ? nil : "4 4")
    }
    for place in places { canvas.disk(place, radius: 2.4, color: color) }
  }

  private static let colors = [
    "#1f2933", "#0967d2", "#de3a11", "#147d64", "#cb6e17", "#7c3aed", "#0e7c86", "#b83280",
    "#4c63b6", "#8d2b0b", "#5f8a1f", "#a368fc", "#d64545", "#2680c2", "#8d6e00", "#3e4c59",
  ]
}
