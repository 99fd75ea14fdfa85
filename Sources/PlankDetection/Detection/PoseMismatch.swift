public import PoseModel

/// Why a detector can say nothing about a recording's poses, whatever they show.
public enum PoseMismatch: Hashable, Sendable, CustomStringConvertible {
  /// The poses are points in an image, and the detector measures 3D positions.
  case imagePoints(detector: String)
  /// The poses are 3D positions, and the detector measures points in an image.
  case positions(detector: String)
  /// The poses are points in an image of unknown size.
  case unknownImageSize

  /// The reason and the remedy, to stand after a colon.
  public var description: String {
    switch self {
    case .imagePoints(let detector):
      "the poses are points in an image, which have no depth, and the detector \(detector) "
        + "measures lengths and angles in 3D. Use a detector with `axes: image`, such as `profile`."
    case .positions(let detector):
      "the poses are 3D positions, and the detector \(detector) measures points in an image. Use "
        + "a detector of positions, such as `coach` or `gravity`."
    case .unknownImageSize:
      "the header does not say how large the image is, so that angles between its points are not "
        + "known. Add `image_width_px` and `image_height_px` to the header."
    }
  }
}

extension DetectorDefinition {
  /// Why the detector can say nothing about the poses of a recording; nil if it can.
  public func mismatch(with header: RecordingHeader) -> PoseMismatch? {
    guard header.skeleton.dimension == 2 else {
      return axes.isImage ? .positions(detector: name) : nil
    }
    guard axes.isImage else { return .imagePoints(detector: name) }
    return header.imageScale == nil ? .unknownImageSize : nil
  }
}
