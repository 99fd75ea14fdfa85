import PoseModel

/// Finds out from logged image points what a file's camera matrices mean.
///
/// Every hypothesis is fitted to all joints of all frames. One is accepted where its residual is
/// a few pixels and well below every other one's.
package struct ConventionCheck: Hashable, Sendable {
  /// What came out.
  package enum Verdict: Hashable, Sendable {
    /// One convention explains the images and no other does.
    case accepted(CameraConvention)
    /// Several explain them: the person was seen from too few sides.
    case ambiguous([CameraConvention])
    /// None explains them.
    case rejected
  }

  /// The largest residual that is a few pixels, as a share of the image's longer side: ours.
  package static let residualShare = 0.005
  /// How many times larger every other residual must be: ours.
  package static let separation = 3.0

  /// The fits, the best first; impossible ones last.
  package let fits: [ProjectionFit]
  /// How many image points there were.
  package let pointCount: Int
  /// The largest residual that counts as a fit, in pixels.
  package let limitPixels: Double
  /// What came out.
  package let verdict: Verdict
  /// What would explain the images if none of the hypotheses does; empty where nothing is known.
  package let hints: [String]

  /// Checks samples of one camera.
  ///
  /// - Precondition: at least one sample; the image has a size.
  package init(samples: [ProjectionFit.Sample], imageWidthPixels: Int, imageHeightPixels: Int) {
    precondition(!samples.isEmpty && imageWidthPixels > 0 && imageHeightPixels > 0)
    let limit = Self.residualShare * Double(max(imageWidthPixels, imageHeightPixels))
    let fits = CameraConvention.hypotheses.map { ProjectionFit($0, samples: samples) }
      .sorted { ($0.residualPixels ?? .infinity) < ($1.residualPixels ?? .infinity) }
    let best = fits[0].residualPixels ?? .infinity
    if best > limit {
      verdict = .rejected
      hints = Self.hints(samples, limit: limit, imageHeightPixels: imageHeightPixels)
    } else {
      // Below half a pixel every residual is rounding, and ratios of them say nothing.
      let bound = max(Self.separation * best, 0.5)
      let near = fits.filter { ($0.residualPixels ?? .infinity) < bound }.map(\.convention)
      verdict = near.count == 1 ? .accepted(near[0]) : .ambiguous(near)
      hints = []
    }
    self.fits = fits
    pointCount = samples.count
    limitPixels = limit
  }

  /// The residuals in words, the best first.
  package var residualText: String {
    fits.map { fit in
      let residual = fit.residualPixels.map { "\(($0 * 10).rounded() / 10) px" }
      return "\(fit.convention): \(residual ?? "joints behind the camera")"
    }.joined(separator: "; ")
  }

  private static func hints(
    _ samples: [ProjectionFit.Sample], limit: Double, imageHeightPixels: Int
  ) -> [String] {
    func fitted(_ change: (ProjectionFit.Sample) -> ProjectionFit.Sample) -> Bool {
      let changed = samples.map(change)
      return CameraConvention.hypotheses.contains {
        (ProjectionFit($0, samples: changed).residualPixels ?? .infinity) <= limit
      }
    }
    var hints: [String] = []
    if fitted({ sample in
      ProjectionFit.Sample(
        position: sample.position, matrix: sample.matrix, u: sample.u,
        v: Double(imageHeightPixels) - sample.v)
    }) {
      hints.append("they fit with y turned around: log points from the lower left corner")
    }
    if fitted({ sample in
      ProjectionFit.Sample(
        position: sample.position,
        matrix: CameraMatrix(rotation: .identity, translation: sample.matrix.translation),
        u: sample.u, v: sample.v)
    }) {
      hints.append("they fit positions that are in camera axes already, not in pelvis axes")
    }
    return hints
  }
}
