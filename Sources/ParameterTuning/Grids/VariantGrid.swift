package import PlankDetection
package import PoseModel

/// The cells of one stream under one detector and one smoothing.
///
/// A cell is a number in mixed radix over the axes that the stream's answers depend on, the last
/// axis fastest. Nothing is stored a cell.
package struct VariantGrid: Sendable {
  /// The stream.
  package let stream: AnswerStream
  /// The rules, the debounce and the values of parameters that no axis varies.
  package let variant: DetectorVariant
  /// The name of the smoothing.
  package let smoothing: String
  /// The axes, in declared order.
  package let axes: [ResolvedAxis]
  private let radix: MixedRadix

  /// Makes the grid of a stream.
  ///
  /// - Parameter axes: every axis of the detector; those that the stream does not use are left out.
  /// - Throws: `TuningError` for too many cells.
  init(
    _ stream: AnswerStream, _ variant: DetectorVariant, smoothing: String, axes: [ResolvedAxis]
  ) throws(TuningError) {
    let used = variant.keys(stream)
    self.stream = stream
    self.variant = variant
    self.smoothing = smoothing
    self.axes = axes.filter { used.contains($0.key) }
    guard let radix = MixedRadix(self.axes.map(\.values.count)) else { throw .gridTooLarge }
    self.radix = radix
  }

  /// The rules.
  package var detector: DetectorDefinition { variant.definition }

  /// The detector's name with its debounce.
  package var detectorName: String { variant.name }

  /// The values of parameters that no axis varies.
  package var base: ParameterValues { variant.base }

  /// The parameters that the answers depend on.
  package var keys: [ParameterKey] { variant.keys(stream) }

  /// How many cells there are, degenerate ones included.
  package var cellCount: Int { radix.count }

  /// Where a cell stands on every axis.
  package func digits(of cell: Int) -> [Int] { radix.digits(of: cell) }

  /// The cell at a place.
  package func cell(at digits: [Int]) -> Int { radix.number(of: digits) }

  /// A parameter's value in a cell.
  package func value(of key: ParameterKey, at digits: [Int]) -> Double? {
    for (axis, digit) in zip(axes, digits) where axis.key == key { return axis.values[digit] }
    return base[key]
  }

  /// All parameters of a cell.
  ///
  /// - Throws: `TuningError.detector` for a value that the detector refuses.
  package func parameters(of cell: Int) throws(TuningError) -> ParameterValues {
    var values = base
    for (axis, digit) in zip(axes, digits(of: cell)) {
      do {
        try values.set(axis.key, to: axis.values[digit])
      } catch {
        throw .detector(error)
      }
    }
    return values
  }
}
