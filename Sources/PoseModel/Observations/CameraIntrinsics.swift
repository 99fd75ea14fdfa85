/// How a camera without distortion maps directions to pixels.
///
/// u = cx + f x / (-z) and v = cy + f y / (-z), with x right, y up and z toward the camera, and
/// pixels counted from the lower left corner, as Vision's normalized points are.
public struct CameraIntrinsics: Hashable, Sendable {
  /// The focal length in pixels, one for both axes: pixels are square.
  public let focalLengthPixels: Double
  /// The column of the principal point in pixels from the left.
  public let principalXPixels: Double
  /// The row of the principal point in pixels from the BOTTOM.
  ///
  /// AVFoundation and ARKit count from the top: use the image's height minus their number.
  public let principalYPixels: Double
  /// The width of the image in pixels.
  public let imageWidthPixels: Int
  /// The height of the image in pixels.
  public let imageHeightPixels: Int

  /// Makes intrinsics; the default principal point is the middle of the image.
  ///
  /// - Precondition: focal length, width and height are positive.
  public init(
    focalLengthPixels: Double, principalXPixels: Double? = nil, principalYPixels: Double? = nil,
    imageWidthPixels: Int, imageHeightPixels: Int
  ) {
    precondition(
      focalLengthPixels > 0 && imageWidthPixels > 0 && imageHeightPixels > 0,
      "a camera has a positive focal length and an image")
    self.focalLengthPixels = focalLengthPixels
    self.principalXPixels = principalXPixels ?? Double(imageWidthPixels) / 2
    self.principalYPixels = principalYPixels ?? Double(imageHeightPixels) / 2
    self.imageWidthPixels = imageWidthPixels
    self.imageHeightPixels = imageHeightPixels
  }

  /// The image point of a point in camera coordinates, in meters; nil unless it is in front.
  public func project(_ point: Vector3) -> ImagePoint? {
    guard point.isFinite, point.z < 0 else { return nil }
    let u = principalXPixels + focalLengthPixels * point.x / -point.z
    let v = principalYPixels + focalLengthPixels * point.y / -point.z
    return ImagePoint(x: u / Double(imageWidthPixels), y: v / Double(imageHeightPixels))
  }
}

/// A point of an image as fractions of its width and height, from the lower left corner.
///
/// 0...1 inside the image; points outside it are legal.
public struct ImagePoint: Hashable, Sendable {
  /// The fraction of the width, from the left.
  public var x: Double
  /// The fraction of the height, from the bottom.
  public var y: Double

  /// Makes a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
