package import PoseModel

/// How well one convention explains where a file's joints appear in the image.
package struct ProjectionFit: Hashable, Sendable {
  /// A joint in pelvis axes, its frame's matrix, and its image in pixels from the lower left.
  package struct Sample: Hashable, Sendable {
    /// The position relative to the root, in meters.
    package let position: Vector3
    /// The frame's matrix as it was logged.
    package let matrix: CameraMatrix
    /// The image's column in pixels from the left.
    package let u: Double
    /// The image's row in pixels from the bottom.
    package let v: Double

    /// Makes a sample.
    package init(position: Vector3, matrix: CameraMatrix, u: Double, v: Double) {
      self.position = position
      self.matrix = matrix
      self.u = u
      self.v = v
    }
  }

  /// Joints nearer to the camera's plane than this count as behind it.
  private static let nearestDepth = Meters(0.05)
  /// The share of joints that may count as behind before a convention is impossible.
  private static let behindShare = 0.01

  /// The convention, turned over where the focal length came out negative.
  package let convention: CameraConvention
  /// The root of the mean squared distance in pixels; nil where joints lie behind the camera.
  package let residualPixels: Double?
  /// The focal length in pixels.
  package let focalLengthPixels: Double
  /// The principal point's column in pixels from the left.
  package let principalXPixels: Double
  /// The principal point's row in pixels from the bottom.
  package let principalYPixels: Double

  /// Fits focal length and principal point, by least squares over all joints of all frames.
  ///
  /// u - cx = f X and v - cy = f Y, where (X, Y) is (x, y) over the depth, y turned around for a
  /// view along +z. With means taken off, f = sum(X u + Y v) / sum(X X + Y Y). A view along -z
  /// from M p is the projection of `CameraIntrinsics`.
  ///
  /// - Complexity: O(samples).
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
