package import PoseModel

/// What to believe of a dump's camera matrices.
package enum MatrixReading: String, CaseIterable, Hashable, Sendable {
  /// What logged image points show; without such points the standard convention, with a note.
  case checked
  /// The standard convention, whatever image points show.
  case assumed
}

/// How dumps of Vision observations are to be read; what is given here wins over a dump's header.
package struct VisionOptions: Hashable, Sendable {
  /// How the device was held.
  package var orientation: DeviceOrientation?
  /// Which camera recorded.
  package var cameraPosition: CameraPosition?
  /// What Vision was given.
  package var buffer: ImageBuffer?
  /// Whether the image was flipped left to right before detection.
  package var isMirrored: Bool?
  /// Who is shown.
  package var subject: String?
  /// Whether times stay on the dump's own clock; else the first frame is at 0.
  package var keepsClock: Bool
  /// What to believe of the camera matrices.
  package var matrices: MatrixReading

  /// Makes options; all that is not given comes from the dump's header.
  package init(
    orientation: DeviceOrientation? = nil, cameraPosition: CameraPosition? = nil,
    buffer: ImageBuffer? = nil, isMirrored: Bool? = nil, subject: String? = nil,
    keepsClock: Bool = false, matrices: MatrixReading = .checked
  ) {
    self.orientation = orientation
    self.cameraPosition = cameraPosition
    self.buffer = buffer
    self.isMirrored = isMirrored
    self.subject = subject
    self.keepsClock = keepsClock
    self.matrices = matrices
  }
}
