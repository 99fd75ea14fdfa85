/// A measurement of every frame, drawn over time.
package struct LabelingStrip: Hashable, Sendable {
  /// A level with which rules compare the measurement.
  package struct Threshold: Hashable, Sendable {
    /// The parameter's name.
    package var name: String
    /// The level, in the strip's unit.
    package var value: Double

    /// Makes a level.
    package init(name: String, value: Double) {
      self.name = name
      self.value = value
    }
  }

  /// The measurement's name.
  package var name: String
  /// The unit as it is printed: `m`, `deg`; `-` for a pure number.
  package var unit: String
  /// A value a frame; NaN where undefined.
  package var values: [Float]
  /// The levels drawn across; those that are not finite are left out.
  package var thresholds: [Threshold]

  /// Makes a strip.
  package init(name: String, unit: String, values: [Float], thresholds: [Threshold] = []) {
    self.name = name
    self.unit = unit
    self.values = values
    self.thresholds = thresholds
  }
}
