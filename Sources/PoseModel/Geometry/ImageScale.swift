/// How the points of an image become lengths in one unit: heights of the image, x right and y up.
///
/// Normalized coordinates divide x by the width and y by the height, so angles between them are
/// wrong in every image that is not square. Pixels have one scale, but their y points down.
public struct ImageScale: Hashable, Sendable {
  /// Image heights per recorded unit to the right.
  public let right: Double
  /// Image heights per recorded unit along y; negative if the recorded y points down.
  public let up: Double

  /// The scale of a skeleton's points in an image.
  ///
  /// - Returns: nil for a 3D skeleton, and for a size that is not positive.
  public init?(_ skeleton: Skeleton, widthPixels: Int, heightPixels: Int) {
    guard skeleton.dimension == 2, widthPixels > 0, heightPixels > 0 else { return nil }
    if skeleton == .coco17 {
      right = 1 / Double(heightPixels)
      up = -right
    } else {
      right = Double(widthPixels) / Double(heightPixels)
      up = 1
    }
  }

  /// A recorded point in image heights; the origin is that of the recording.
  @inlinable public func callAsFunction(_ point: Vector3) -> Vector3 {
    Vector3(point.x * right, point.y * up, 0)
  }
}

extension RecordingHeader {
  /// The scale of the recording's image points; nil in 3D and where the image's size is unknown.
  public var imageScale: ImageScale? {
    guard let imageWidth, let imageHeight else { return nil }
    return ImageScale(skeleton, widthPixels: imageWidth, heightPixels: imageHeight)
  }
}
