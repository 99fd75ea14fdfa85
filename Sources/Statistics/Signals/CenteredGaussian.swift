internal import CGSL

/// A Gaussian window centered on every sample of an evenly spaced series, on GSL.
///
/// The kernel is exp(-n^2 / (2 s^2)) for samples n = -m...m, normalized to sum 1, with m the least
/// whole number not below 3 s; beyond the ends the first and last samples are repeated.
package struct CenteredGaussian: Sendable {
  private let deviation: Double

  package init(deviationInSamples deviation: Double) {
    precondition(deviation > 0 && deviation.isFinite, "a window has a width")
    self.deviation = deviation
  }

  /// As many numbers as `series`, which is finite; O(samples x window).
  package func smooth(_ series: [Double]) -> [Double] {
    let half = max(1, Int((3 * deviation).rounded(.up)))
    let size = 2 * half + 1
    guard !series.isEmpty else { return [] }
    guard GSLRuntime.isReady, let workspace = gsl_filter_gaussian_alloc(size) else {
      preconditionFailure("GSL has no memory for a window of \(size) samples")
    }
    defer { gsl_filter_gaussian_free(workspace) }
    var input = series
    var output = series
    let alpha = Double(size - 1) / (2 * deviation)
    let status = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var source = gsl_vector_view_array(input.baseAddress, input.count)
        var target = gsl_vector_view_array(output.baseAddress, output.count)
        return gsl_filter_gaussian(
          GSL_FILTER_END_PADVALUE, alpha, 0, &source.vector, &target.vector, workspace)
      }
    }
    precondition(status == 0, "GSL refused a window of \(size) samples")
    return output
  }
}
