package import PoseModel

/// The meaning of a camera matrix.
///
/// There are four hypotheses, because Vision's meaning is not documented: the matrix leads from the
/// pelvis to the camera or back, and the camera looks along its own -z or +z. For a view along +z,
/// handedness fixes the other two axes except for a half turn, which `isTurnedOver` indicates.
package struct CameraConvention: Hashable, Sendable, CustomStringConvertible {
  package enum Direction: String, CaseIterable, Hashable, Sendable {
    /// p_cam = M p.
    case pelvisToCamera
    /// p_cam = M⁻¹ p.
    case cameraToPelvis
  }

  package enum View: String, CaseIterable, Hashable, Sendable {
    /// The camera looks along -z, with x right and y up.
    case negativeZ
    /// The camera looks along +z, with x right and y down.
    case positiveZ
  }

  package let direction: Direction
  package let view: View
  /// Whether x and y both point opposite to the directions that `view` gives.
  package var isTurnedOver = false

  /// The convention by which PlankLab reads Vision's matrix and stores it in recordings.
  package static let standard = CameraConvention(direction: .pelvisToCamera, view: .negativeZ)

  package static let hypotheses: [CameraConvention] = Direction.allCases.flatMap { direction in
    View.allCases.map { CameraConvention(direction: direction, view: $0) }
  }

  package func turnedOver(_ isTurnedOver: Bool) -> CameraConvention {
    CameraConvention(direction: direction, view: view, isTurnedOver: isTurnedOver)
  }

  package func standardized(_ matrix: CameraMatrix) -> CameraMatrix {
    guard self != .standard else { return matrix }
    let forward = direction == .pelvisToCamera ? matrix : matrix.rigidInverse
    let flip = view == .negativeZ ? 1.0 : -1.0
    let sign = isTurnedOver ? -1.0 : 1.0
    func turned(_ v: Vector3) -> Vector3 { Vector3(sign * v.x, sign * flip * v.y, flip * v.z) }
    let (x, y, z) = forward.rotation.columns
    return CameraMatrix(
      rotation: Rotation3(turned(x), turned(y), turned(z)),
      translation: turned(forward.translation))
  }

  package var description: String {
    let leads = direction == .pelvisToCamera ? "pelvis to camera" : "camera to pelvis"
    let looks = view == .negativeZ ? "looking along -z" : "looking along +z"
    return "\(leads), \(looks)" + (isTurnedOver ? ", turned over" : "")
  }
}

package struct ConventionCheck: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case accepted(CameraConvention)
    case ambiguous([CameraConvention])
    case rejected
  }

  /// The largest residual that counts as a fit, as a fraction of the image's longer side; chosen by
  /// PlankLab.
  package static let residualShare = 0.005
  /// How many times larger than the best residual the others must be; chosen by PlankLab.
  package static let separation = 3.0

  package let fits: [ProjectionFit]
  package let pointCount: Int
  package let limitPixels: Double
  package let verdict: Verdict
  package let hints: [String]

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
      // A residual below half a pixel is only rounding, so a ratio to it means nothing.
      let bound = max(Self.separation * best, 0.5)
      let near = fits.filter { ($0.residualPixels ?? .infinity) < bound }.map(\.convention)
      verdict = near.count == 1 ? .accepted(near[0]) : .ambiguous(near)
      hints = []
    }
    self.fits = fits
    pointCount = samples.count
    limitPixels = limit
  }

  package var residualText: String {
    fits.map { fit in
      let residual = fit.residualPixels.map { "\(($0 * 10).rounded() / 10) px" }
      return "\(fit.convention): \(residual ?? "joints behind the camera")"
    }.joined(separator: "; ")
  }

  private static func hints(
    _ samples: [ProjectionFit.Sample], limit: Double, imageHeightPixels: Int
  ) -> [String] {
    func fitted(_ change: (inout ProjectionFit.Sample) -> Void) -> Bool {
      var changed = samples
      for index in changed.indices { change(&changed[index]) }
      return CameraConvention.hypotheses.contains {
        (ProjectionFit($0, samples: changed).residualPixels ?? .infinity) <= limit
      }
    }
    var hints: [String] = []
    if fitted({ $0.v = Double(imageHeightPixels) - $0.v }) {
      hints.append("they fit if y is negated; log points from the lower left corner")
    }
    if fitted({
      $0.matrix = CameraMatrix(rotation: .identity, translation: $0.matrix.translation)
    }) {
      hints.append("they fit if positions are in camera axes, not in pelvis axes")
    }
    return hints
  }
}

package struct ProjectionFit: Hashable, Sendable {
  /// A joint in pelvis axes, its frame's matrix, and its image in pixels from the lower left
  /// corner.
  package struct Sample: Hashable, Sendable {
    package let position: Vector3
    package var matrix: CameraMatrix
    package let u: Double
    package var v: Double
  }

  private static let nearestDepth = Meters(0.05)
  private static let behindShare = 0.01

  /// The fitted convention, turned over if the focal length came out negative.
  package let convention: CameraConvention
  /// The root mean square distance in pixels; nil if a joint is behind the camera.
  package let residualPixels: Double?
  package let focalLengthPixels: Double
  package let principalXPixels: Double
  package let principalYPixels: Double

  /// Fits focal length and principal point to all samples by least squares.
  ///
  /// u - cx = f X and v - cy = f Y, where (X, Y) is (x, y) over the depth, with y negated for a
  /// view along +z. With means subtracted, f = sum(X u + Y v) / sum(X X + Y Y). For a view along -z
  /// and p_cam = M p, this is the projection of `CameraIntrinsics`.
  package init(_ hypothesis: CameraConvention, samples: [Sample]) {
    let upright = hypothesis.turnedOver(false)
    let points = samples.map { upright.standardized($0.matrix)($0.position) }
    let near = Self.nearestDepth.value
    let behind = points.count { !(-$0.z >= near) }
    let directions = points.map { ($0.x / max(-$0.z, near), $0.y / max(-$0.z, near)) }
    let count = Double(samples.count)
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / count }
    let (meanX, meanY) = (mean(directions.map(\.0)), mean(directions.map(\.1)))
    let (meanU, meanV) = (mean(samples.map(\.u)), mean(samples.map(\.v)))
    var products = 0.0
    var squares = 0.0
    for ((x, y), sample) in zip(directions, samples) {
      products += (x - meanX) * (sample.u - meanU) + (y - meanY) * (sample.v - meanV)
      squares += (x - meanX) * (x - meanX) + (y - meanY) * (y - meanY)
    }
    let focal = products / squares
    var sum = 0.0
    for ((x, y), sample) in zip(directions, samples) {
      let (du, dv) = (
        sample.u - meanU - focal * (x - meanX), sample.v - meanV - focal * (y - meanY)
      )
      sum += du * du + dv * dv
    }
    let residual = (sum / count).squareRoot()
    let isPossible = Double(behind) <= Self.behindShare * count && residual.isFinite
    convention = upright.turnedOver(focal < 0)
    residualPixels = isPossible ? residual : nil
    focalLengthPixels = abs(focal)
    principalXPixels = meanU - focal * meanX
    principalYPixels = meanV - focal * meanY
  }
}
