package import PlankDetection
package import PoseModel

/// All cells of one stream: the grids of every detector and smoothing one after another.
///
/// Ids are stable: they depend on the declared axes, detectors and smoothings only. Degenerate
/// cells keep their id and are never evaluated.
package struct StreamGrid: Sendable {
  /// The stream.
  package let stream: AnswerStream
  /// One grid a detector and smoothing, detectors slowest.
  package let variants: [VariantGrid]
  /// What a cell must keep.
  package let constraints: [AxisConstraint]
  private let starts: [Int]
  private let varied: Set<ParameterKey>

  /// Puts variants one after another.
  ///
  /// - Parameters:
  ///   - constraints: those on parameters that the other stream alone varies do not apply here.
  ///   - varied: the parameters of all axes.
  init(
    _ stream: AnswerStream, _ variants: [VariantGrid], constraints: [AxisConstraint],
    varied: Set<ParameterKey>
  ) throws(TuningError) {
    guard !variants.isEmpty else { throw .noDetector }
    var starts: [Int] = [0]
    for variant in variants {
      let (end, isTooLarge) = starts[starts.count - 1].addingReportingOverflow(variant.cellCount)
      guard !isTooLarge else { throw .gridTooLarge }
      starts.append(end)
    }
    self.stream = stream
    self.variants = variants
    self.starts = starts
    self.constraints = constraints
    self.varied = varied
  }

  /// How many ids there are, those of degenerate cells included.
  package var cellCount: Int { starts[starts.count - 1] }

  /// The ids of a variant.
  package func cells(of variant: Int) -> Range<Int> { starts[variant]..<starts[variant + 1] }

  /// Which variant a cell belongs to, and its number there.
  ///
  /// - Complexity: O(log variants).
  package func locate(_ cell: Int) -> (variant: Int, local: Int) {
    var (low, high) = (0, variants.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= cell { low = middle } else { high = middle - 1 }
    }
    return (variant: low, local: cell - starts[low])
  }

  /// Whether a cell keeps every constraint between axes that concerns the stream alone.
  package func isAccepted(_ cell: Int) -> Bool {
    guard !constraints.isEmpty else { return true }
    let (index, local) = locate(cell)
    let variant = variants[index]
    let used = variant.keys
    let digits = variant.digits(of: local)
    return constraints.allSatisfy { constraint in
      let isKnown = [constraint.left, constraint.right].allSatisfy {
        used.contains($0) || !varied.contains($0)
      }
      guard isKnown else { return true }
      return constraint.holds { variant.value(of: $0, at: digits) }
    }
  }

  /// The cells of a range that are evaluated, in order.
  package func accepted(in range: Range<Int>) -> [Int] { range.filter(isAccepted) }

  /// How many cells are degenerate.
  ///
  /// - Complexity: O(cells).
  package var rejectedCount: Int {
    constraints.isEmpty ? 0 : cellCount - accepted(in: 0..<cellCount).count
  }

  /// All parameters of a cell.
  package func parameters(of cell: Int) throws(TuningError) -> ParameterValues {
    let (variant, local) = locate(cell)
    return try variants[variant].parameters(of: local)
  }
}
