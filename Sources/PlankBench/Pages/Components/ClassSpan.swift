struct ClassSpan: Hashable, Sendable {
  /// The class, or another state that has a color.
  let label: String
  /// From where to where, in seconds after the start of the ribbon.
  let range: Range<Double>

  /// `scale`: how many units of the picture a second is wide; `y`: the upper edge.
  func rect(scale: Double, y: Int, height: Int) -> HTML {
    "<rect class=\"in-\(label)\" \(Self.place(range, scale)) y=\"\(y)\" height=\"\(height)\"/>"
  }

  private static let mostUnits = 1e6

  static func place(_ range: Range<Double>, _ scale: Double) -> HTML {
    let width = min(max(1, (range.upperBound - range.lowerBound) * scale), mostUnits)
    let start = min(max(0, range.lowerBound * scale), mostUnits)
    return HTML(
      markup: "x=\"\(NumberText.fixed(start, 1))\" "
        + "width=\"\(NumberText.fixed(width, 1))\"")
  }
}
