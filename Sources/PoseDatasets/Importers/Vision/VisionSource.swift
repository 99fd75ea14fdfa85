package import PoseModel

/// Dumps of Apple Vision's 3D body pose observations, as an app writes them.
///
/// A dump holds one JSON object per frame, best on a line of its own:
///
///     {"format": "vision3d-dump", "version": 1, "orientation": "portrait",
///      "cameraPosition": "front", "buffer": "fixed", "bufferRotation": 0, "mirrored": false, "subject": "s01",
///      "nominalRate": 30, "imageWidth": 1080, "imageHeight": 1920}
///     {"timestamp": 12.5, "joints": {"human_root_3D": {"position": [0, 0, 0],
///      "pointInImage": [0.5, 0.4]}, ...}, "bodyHeight": 1.8, "heightEstimation": "reference",
///      "cameraOriginMatrix": [16 numbers], "up": [0, 1, 0]}
///     {"timestamp": 12.6, "joints": null}
///
/// The header and each of its fields are optional. Joints have Vision's raw keys or Swift names,
/// all 17 or none. A position is three numbers or a column-major matrix, alone or with the joint's
/// `pointInImage` (normalized, from the lower left). Recordings come out in pelvis axes with
/// matrices in the standard convention, and without labels.
package struct VisionSource: PoseSource {
  package static let name = "vision3d"
  package static let summary = "JSON dumps of Apple Vision's 3D body pose observations"
  package static let readsFilesApart = true

  package let options: VisionOptions

  package init(options: VisionOptions = VisionOptions()) { self.options = options }

  package func sequences(from files: [NamedText]) throws -> [ImportedSequence] {
    var sequences: [ImportedSequence] = []
    for file in files {
      sequences.append(
        try VisionClip(try VisionDump(file), options: options).sequence(name: file.stem))
    }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }
}

package enum MatrixReading: String, CaseIterable, Hashable, Sendable {
  /// Logged image points; without them, the standard convention with a note.
  case checked
  /// The standard convention, whatever image points show.
  case assumed
}

package struct VisionOptions: Hashable, Sendable {
  package var orientation: DeviceOrientation?
  package var cameraPosition: CameraPosition?
  package var buffer: ImageBuffer?
  package var isMirrored: Bool?
  package var subject: String?
  /// Whether times stay on the dump's own clock; otherwise the first frame is at 0.
  package var keepsClock: Bool
  package var matrices: MatrixReading

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
