/// A measurement of every frame of a sequence.
package struct MeasurementSeries: Hashable, Sendable {
  /// The measurement's name.
  package let name: String
  /// The unit of its numbers.
  package let unit: String
  /// A number a frame, NaN where undefined.
  package let values: [Float]

  /// Makes a series.
  package init(name: String, unit: String, values: [Float]) {
    self.name = name
    self.unit = unit
    self.values = values
  }
}
