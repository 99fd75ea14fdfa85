@preconcurrency internal import CGSL

/// The simplex search of Nelder and Mead, as in GSL's `nmsimplex2`.
///
/// The search finds a local minimum, so start it from the best point of a coarse grid. A function
/// value that is not finite counts as very large. Source: Nelder and Mead 1965, doi
/// 10.1093/comjnl/7.4.308.
package struct SimplexMinimizer: Hashable, Sendable {
  package struct Minimum: Hashable, Sendable {
    package let point: [Double]
    package let value: Double
    package let steps: Int
    package let isConverged: Bool
  }

  /// The average distance of the corners from their center below which the search ends.
  ///
  /// Below about 1e-8 of the first simplex's size and of the distance that it has traveled, GSL's
  /// value is only rounding error.
  package var tolerance: Double
  package var maximumSteps: Int

  package init(tolerance: Double = 1e-4, maximumSteps: Int = 200) {
    self.tolerance = tolerance
    self.maximumSteps = maximumSteps
  }

  /// Minimizes a function from `start`, which has at least one variable, all finite.
  ///
  /// `stepSizes`, none of them 0, are the distances of the other corners from `start`, one along
  /// each variable.
  package func minimize(
    from start: [Double], stepSizes: [Double], _ function: ([Double]) -> Double
  ) -> Minimum {
    precondition(
      GSLRuntime.isReady && !start.isEmpty && start.count == stepSizes.count,
      "a search starts at a point with a step size for each variable")
    guard let corner = gsl_vector_alloc(start.count), let sizes = gsl_vector_alloc(start.count),
      let simplex = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, start.count)
    else { preconditionFailure("no memory for a simplex of \(start.count) variables") }
    defer {
      gsl_vector_free(corner)
      gsl_vector_free(sizes)
      gsl_multimin_fminimizer_free(simplex)
    }
    for (index, pair) in zip(start, stepSizes).enumerated() {
      gsl_vector_set(corner, index, pair.0)
      gsl_vector_set(sizes, index, pair.1)
    }
    return withoutActuallyEscaping(function) { function in
      withUnsafePointer(to: function) { address in
        var function = gsl_multimin_function(
          f: Self.evaluate, n: start.count, params: UnsafeMutableRawPointer(mutating: address))
        return withUnsafeMutablePointer(to: &function) { pointer in
          gsl_multimin_fminimizer_set(simplex, pointer, corner, sizes)
          return iterate(simplex, start.count)
        }
      }
    }
  }

  private func iterate(
    _ simplex: UnsafeMutablePointer<gsl_multimin_fminimizer>, _ count: Int
  ) -> Minimum {
    var steps = 0
    var isConverged = false
    while steps < maximumSteps, !isConverged {
      guard gsl_multimin_fminimizer_iterate(simplex) == 0 else { break }
      steps += 1
      let size = gsl_multimin_fminimizer_size(simplex)
      isConverged = gsl_multimin_test_size(size, tolerance) == 0
    }
    let point = (0..<count).map { gsl_vector_get(gsl_multimin_fminimizer_x(simplex), $0) }
    return Minimum(
      point: point, value: gsl_multimin_fminimizer_minimum(simplex), steps: steps,
      isConverged: isConverged)
  }

  private static let evaluate:
    @convention(c) (UnsafePointer<gsl_vector>?, UnsafeMutableRawPointer?) -> Double = {
      vector, function in
      guard let vector, let function else { return SimplexMinimizer.tooLarge }
      let point = (0..<vector.pointee.size).map { gsl_vector_get(vector, $0) }
      let value = function.assumingMemoryBound(to: (([Double]) -> Double).self).pointee(point)
      return value.isFinite ? value : SimplexMinimizer.tooLarge
    }

  private static let tooLarge = 1e300
}
