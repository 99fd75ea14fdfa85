internal import Evaluation
package import ParameterTuning
internal import PoseModel

/// A picture of what tuning saw: the objective along every axis, and over the two that matter.
///
/// Shaded is the plateau, the disk is the recommended grid cell, the dashed line the detector's
/// default.
package struct TuningFigure: Sendable {
  private let result: TuningResult
  static let width = 960.0
  static let margin = 24.0

  /// Makes the figure of a result.
  package init(_ result: TuningResult) { self.result = result }

  /// The picture as SVG.
  package func svg() -> String {
    var canvas = SVGCanvas()
    var top = Self.margin + 16
    let title = result.question ?? "Tuning on \(result.data.identity.name)"
    let titleStyle = SVGCanvas.TextStyle(size: 18, isBold: true)
    canvas.text(title, at: .init(x: Self.margin, y: top), titleStyle)
    top += 22
    canvas.text(
      "\(result.data.identity.name), \(result.data.sequences) sequences; shaded: plateau, disk: "
        + "recommended on the grid, dashed: default",
      at: .init(x: Self.margin, y: top), .init(size: 12, color: "#52606d"))
    top += 30
    for stream in result.streams { top = draw(stream, at: top, &canvas) }
    return canvas.document(width: Self.width, height: top + Self.margin, title: title)
  }

  private func draw(
    _ stream: StreamRecommendation, at start: Double, _ canvas: inout SVGCanvas
  ) -> Double {
    var top = start
    canvas.text(
      "\(stream.stream.rawValue): \(stream.evidence.objective)",
      at: .init(x: Self.margin, y: top), .init(size: 15, isBold: true))
    top += 16
    let values = stream.views.profiles.flatMap { $0.objective.compactMap(\.self) }
    guard let low = values.min(), let high = values.max() else {
      canvas.text(
        "no axis has more than one value", at: .init(x: Self.margin, y: top + 14),
        .init(color: "#52606d"))
      return top + 40
    }
    let scale = PlotScale(low: low, high: high)
    let columns = 3
    let panel = (width: (Self.width - 2 * Self.margin) / Double(columns), height: 190.0)
    for (index, profile) in stream.views.profiles.enumerated() {
      let place = SVGCanvas.Point(
        x: Self.margin + Double(index % columns) * panel.width,
        y: top + Double(index / columns) * panel.height)
      ProfilePanel(profile: profile, stream: stream, scale: scale)
        .draw(in: &canvas, at: place, width: panel.width - 12, height: panel.height - 14)
    }
    top += Double((stream.views.profiles.count + columns - 1) / columns) * panel.height
    if let slice = stream.views.slice {
      let panel = HeatPanel(slice: slice, stream: stream, scale: scale)
      top = panel.draw(in: &canvas, at: .init(x: Self.margin, y: top + 6))
    }
    return top + 26
  }
}

/// A range of values with a little room at both ends.
struct PlotScale {
  let low: Double
  let high: Double

  init(low: Double, high: Double) {
    let room = max((high - low) * 0.06, 1e-6)
    self.low = low - room
    self.high = high + room
  }

  /// Where a value lies, 0 at the low end and 1 at the high one.
  func share(_ value: Double) -> Double { (value - low) / (high - low) }
}
