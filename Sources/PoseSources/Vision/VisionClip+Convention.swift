import PoseModel

extension VisionClip {
  /// What logged image points show of the camera matrices; nil where none were logged.
  func conventionCheck() throws(PoseSourceError) -> ConventionCheck? {
    let logged = frames.filter { !$0.points.isEmpty && $0.matrix != nil }
    guard let first = logged.first else { return nil }
    let size = try imageSize(of: first)
    var samples: [ProjectionFit.Sample] = []
    for frame in logged {
      let own = try imageSize(of: frame)
      guard own == size else {
        throw .unexpectedValue(
          file: frame.place.description, path: "the image size",
          found: "\(own.width) x \(own.height) after \(size.width) x \(size.height)",
          allowed: "one size a dump: write a dump a camera")
      }
      guard let matrix = frame.matrix else { continue }
      for joint in Skeleton.vision3d.joints {
        guard let point = frame.points[joint], let position = frame.positions[joint] else {
          continue
        }
        samples.append(
          ProjectionFit.Sample(
            position: position, matrix: matrix, u: point.x * Double(size.width),
            v: point.y * Double(size.height)))
      }
    }
    return ConventionCheck(
      samples: samples, imageWidthPixels: size.width, imageHeightPixels: size.height)
  }

  private func imageSize(
    of frame: VisionFrame
  ) throws(PoseSourceError) -> (width: Int, height: Int) {
    if let size = frame.imageSize { return size }
    guard let width = header.imageWidth, let height = header.imageHeight, width > 0, height > 0
    else {
      throw .unexpectedValue(
        file: frame.place.description, path: "imageWidth or imageHeight", found: "missing",
        allowed: "the size in pixels in the header: image points are shares of it")
    }
    return (width, height)
  }

  /// The convention of the dump's matrices, with a note on how it is known.
  ///
  /// - Throws: `PoseSourceError.unexpectedValue` where image points speak against all of them.
  func convention() throws(PoseSourceError) -> (CameraConvention, String) {
    guard options.matrices == .checked else {
      return (.standard, "camera matrices taken as \(CameraConvention.standard), unchecked")
    }
    guard let check = try conventionCheck() else {
      return (
        .standard,
        "camera matrices taken as \(CameraConvention.standard): without pointInImage nothing in "
          + "the dump can check that"
      )
    }
    switch check.verdict {
    case .accepted(let convention):
      return (convention, "camera matrices found to be \(convention) (\(check.residualText))")
    case .ambiguous(let conventions) where conventions.contains(.standard):
      return (
        .standard,
        "camera matrices taken as \(CameraConvention.standard); the images fit other readings as "
          + "well, show the person from more sides (\(check.residualText))"
      )
    case .ambiguous, .rejected:
      let hints = check.hints.map { "; \($0)" }.joined()
      throw .unexpectedValue(
        file: file, path: "the meaning of cameraOriginMatrix",
        found: "not what \(check.pointCount) image points show (\(check.residualText)\(hints))",
        allowed: "points, positions and matrices of the same frames, or import them as assumed")
    }
  }
}
