extension Recording {
  /// Undoes the left-right flip of a mirrored recording; does nothing to others.
  ///
  /// Joints keep their numbers with x negated, and take the other side's name. In 3D x becomes -x;
  /// in normalized 2D, 1 - x; in pixels, width - x. A pelvis recording's matrices are conjugated
  /// with the flip, so that the camera-frame joints R p are flipped and R stays a rotation. Up
  /// vectors are already those of the unmirrored image. Doing it twice changes nothing.
  ///
  /// - Throws: `MirroringError` for pixel positions without an image width.
  public mutating func unmirror() throws(MirroringError) {
    guard header.isMirrored else { return }
    let flipped = try flippedPositions()
    var newHeader = header
    newHeader.joints = header.joints.map { $0.mirrored }
    newHeader.isMirrored = false
    replaceFlipped(header: newHeader, positions: flipped) { $0.mirrored }
  }

  private func flippedPositions() throws(MirroringError) -> [Float] {
    let origin = try flipOrigin()
    var result = positions
    for index in stride(from: 0, to: result.count, by: layout.dimension) {
      result[index] = Float(origin - Double(result[index]))
    }
    return result
  }

  /// The sum of a coordinate and its mirror image.
  private func flipOrigin() throws(MirroringError) -> Double {
    switch header.skeleton {
    case .vision3d: return 0
    case .vision2d: return 1
    case .coco17:
      guard let width = header.imageWidth else { throw MirroringError() }
      return Double(width)
    }
  }
}

/// Pixel positions cannot be unmirrored without the image's width.
public struct MirroringError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem and its remedy.
  public var description: String {
    "a mirrored recording in pixels cannot be turned around: add `image_width_px` to the header"
  }
}
