internal import PlankDetection

/// The sequences of a dataset, measured once for every detector and smoothing.
package struct MeasuredData: Sendable {
  /// The sequences of every variant, detectors slowest; the same sequences in the same order.
  package let variants: [[MeasuredSequence]]

  /// Takes measured sequences.
  ///
  /// - Precondition: at least one variant, and the same sequences in each.
  /// - Throws: `TuningError` for no sequence and repeated names.
  package init(variants: [[MeasuredSequence]]) throws(TuningError) {
    precondition(
      variants.allSatisfy { $0.map(\.name) == variants[0].map(\.name) }, "the same sequences")
    guard let first = variants.first, !first.isEmpty else { throw .noSequences }
    var names: Set<String> = []
    for sequence in first where !names.insert(sequence.name).inserted {
      throw .repeatedSequence(sequence.name)
    }
    self.variants = variants
  }

  /// Measures recordings for every detector and smoothing of a grid.
  ///
  /// - Complexity: O(variants x frames).
  package init(_ sequences: [TuningSequence], for grid: GridDefinition) throws(TuningError) {
    var variants: [[MeasuredSequence]] = []
    for variant in grid.detectors {
      let detector: BatchDetector
      do {
        detector = try BatchDetector(variant.definition, parameters: variant.base)
      } catch {
        throw .detector(error)
      }
      for smoothing in grid.smoothings {
        variants.append(sequences.map { MeasuredSequence($0, smoothing, detector) })
      }
    }
    try self.init(variants: variants)
  }

  /// The sequences' names, subjects and truth, which no variant changes.
  package var sequences: [MeasuredSequence] { variants[0] }

  /// The data of some sequences, by index.
  package func selecting(_ indices: [Int]) throws(TuningError) -> MeasuredData {
    try MeasuredData(variants: variants.map { variant in indices.map { variant[$0] } })
  }
}
