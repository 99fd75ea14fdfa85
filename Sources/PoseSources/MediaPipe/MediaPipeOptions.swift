package import PoseModel

/// What the numbers of a landmark table are measured in.
package enum LandmarkCoordinates: Hashable, Sendable {
  /// MediaPipe's image landmarks: x over the image's width, y over its height and down, z scaled
  /// like x and smaller when nearer.
  case image(AspectRatio)
  /// One unit, whatever its size, for all three axes; y down and z smaller when nearer.
  case proportional
}

/// How the rows of a landmark table make sequences.
package enum TableDivision: Hashable, Sendable {
  /// Rows are video frames in order; a clip ends where the median step over x and y of all
  /// landmarks, in the table's own units, is larger than the number.
  case clips(stepAbove: Double)
  /// Every row is a still of its own.
  case stills

  /// Clips that end where the median landmark jumps by more than 2 % of the image.
  package static let defaultClips = TableDivision.clips(stepAbove: 0.02)
}

/// How a landmark table is to be read.
package struct MediaPipeOptions: Hashable, Sendable {
  /// What each label of the table means.
  package let labels: LabelMap
  /// The column of the labels, or nil for the first of `label`, `pose` and `class`.
  package let labelColumn: String?
  /// What the numbers are measured in.
  package let coordinates: LandmarkCoordinates
  /// How rows make sequences.
  package let division: TableDivision
  /// The rate at which rows followed each other; tables have no times.
  package let frameRate: Hertz
  /// Whether the images were flipped left to right before detection.
  ///
  /// The recordings are turned back, once; their headers do not say mirrored.
  package let isMirrored: Bool
  /// Who is shown, where known.
  package let subject: String?

  /// Checks options and keeps them.
  ///
  /// - Throws: `PoseSourceError.invalidOption` for a rate outside 0.1...1000 Hz or a clip break
  ///   that is not positive.
  package init(
    labels: LabelMap, labelColumn: String? = nil,
    coordinates: LandmarkCoordinates = .image(.sixteenToNine),
    division: TableDivision = .defaultClips, frameRate: Hertz = Hertz(30),
    isMirrored: Bool = false, subject: String? = nil
  ) throws(PoseSourceError) {
    guard (0.1...1000).contains(frameRate.value) else {
      throw .invalidOption(
        "the frame rate", found: "\(frameRate)", allowed: "0.1 to 1000 Hz, for example 30")
    }
    if case .clips(let step) = division, !(step > 0 && step.isFinite) {
      throw .invalidOption(
        "the clip break", found: "\(step)",
        allowed: "a positive step in the table's units, for example 0.02")
    }
    self.labels = labels
    self.labelColumn = labelColumn
    self.coordinates = coordinates
    self.division = division
    self.frameRate = frameRate
    self.isMirrored = isMirrored
    self.subject = subject
  }

  /// The time of a frame, in whole microseconds.
  func time(ofFrame frame: Int) -> Double { roundedToMicroseconds(Double(frame) / frameRate.value) }

  /// A landmark's position in proportional units: x right, y up, z toward the camera, unmirrored.
  func position(x: Double, y: Double, z: Double) -> Vector3 {
    var stretch = 1.0
    if case .image(let ratio) = coordinates { stretch = ratio.value }
    return Vector3((isMirrored ? -x : x) * stretch, -y, -z * stretch)
  }
}
