package import PoseModel

/// The axes become x right, y up and z toward the camera, with the root as origin; sizes become
/// those of the reference body, by one factor per clip.
package struct MediaPipeSource: PoseSource {
  package static let name = "mediapipe"
  package static let summary = "CSV tables of 17 or 33 MediaPipe landmarks, one row per frame"
  package static let readsFilesApart = true

  package let options: MediaPipeOptions

  package init(options: MediaPipeOptions) { self.options = options }

  package func sequences(from files: [NamedText]) throws -> [ImportedSequence] {
    var sequences: [ImportedSequence] = []
    for file in files {
      let table = try LandmarkTable(file, options)
      let meanings = try options.labels.meanings(of: table.labels, file: file.name)
      let ranges = options.division.ranges(of: table)
      let depth = try depth(of: table)
      for (index, rows) in ranges.enumerated() {
        let clip = LandmarkClip(
          table: table, rows: rows, meanings: meanings, options: options, depth: depth)
        let name = "\(file.stem)-\(Self.number(index + 1, of: ranges.count))"
        sequences.append(try clip.sequence(name: name, source: file.stem))
      }
    }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }

  private func depth(of table: LandmarkTable) throws -> Double {
    let poses = (0..<table.rowCount).lazy.map { table.pose(ofRow: $0, options: options) }
    guard let factor = options.depth.factor(of: poses) else {
      throw PoseSourceError.invalidOption(
        "the depth scale", found: "anatomical",
        allowed: "a number for \(table.file), in which no "
          + "body shows the width of its shoulders or hips in depth")
    }
    return factor
  }

  private static func number(_ number: Int, of count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(3, String(count).count) - digits.count) + digits
  }
}

package enum LandmarkCoordinates: Hashable, Sendable {
  /// MediaPipe's image landmarks: x over the image's width, y over its height and down, z scaled
  /// like x and smaller when nearer.
  case image(AspectRatio)
  /// One unit, whatever its size, for all three axes; y down and z smaller when nearer.
  case proportional
}

package enum TableDivision: Hashable, Sendable {
  /// Rows are video frames in order; a clip ends where the median step over x and y of all
  /// landmarks, in the table's own units, exceeds the number.
  case clips(stepAbove: Double)
  case stills

  /// Clips that end where the median landmark jumps by more than 2 % of the image.
  package static let defaultClips = TableDivision.clips(stepAbove: 0.02)
}

package enum LandmarkOutput: String, Hashable, Sendable {
  /// 3D positions in meters, of the size of the reference body.
  case positions
  /// Points of the image with the face, and visibilities as confidences.
  case imagePoints
}

package struct MediaPipeOptions: Hashable, Sendable {
  package let labels: LabelMap
  package let labelColumn: String?
  package let timeColumn: String?
  package let coordinates: LandmarkCoordinates
  package let depth: LandmarkDepth
  package let output: LandmarkOutput
  package let division: TableDivision
  package let frameRate: Hertz
  /// Whether the images were flipped left to right before detection; recordings are always turned
  /// back.
  package let isMirrored: Bool
  package let subject: String?

  /// Throws for a rate outside 0.1...1000 Hz, a clip break that is not positive, and image points
  /// of coordinates that are none, or with a depth scale.
  package init(
    labels: LabelMap, labelColumn: String? = nil, timeColumn: String? = nil,
    coordinates: LandmarkCoordinates = .image(.sixteenToNine),
    depth: LandmarkDepth = .asItIs, output: LandmarkOutput = .positions,
    division: TableDivision = .defaultClips, frameRate: Hertz = Hertz(30),
    isMirrored: Bool = false, subject: String? = nil
  ) throws {
    guard (0.1...1000).contains(frameRate.value) else {
      throw PoseSourceError.invalidOption(
        "the frame rate", found: "\(frameRate)", allowed: "0.1 to 1000 Hz, for example 30")
    }
    if case .clips(let step) = division, !(step > 0 && step.isFinite) {
      throw PoseSourceError.invalidOption(
        "the clip break", found: "\(step)",
        allowed: "a positive step in the table's units, for example 0.02")
    }
    if output == .imagePoints, coordinates == .proportional {
      throw PoseSourceError.invalidOption(
        "the image points", found: "proportional coordinates",
        allowed: "landmarks over the image's width and height; leave one of the two options out")
    }
    if output == .imagePoints, depth != .asItIs {
      throw PoseSourceError.invalidOption(
        "the depth scale", found: "image points", allowed: "no depth scale: points have no depth")
    }
    self.labels = labels
    self.depth = depth
    self.labelColumn = labelColumn
    self.timeColumn = timeColumn
    self.coordinates = coordinates
    self.output = output
    self.division = division
    self.frameRate = frameRate
    self.isMirrored = isMirrored
    self.subject = subject
  }

  func time(ofFrame frame: Int) -> Double { roundedToMicroseconds(Double(frame) / frameRate.value) }

  func position(x: Double, y: Double, z: Double) -> Vector3 {
    var stretch = 1.0
    if case .image(let ratio) = coordinates { stretch = ratio.value }
    return Vector3((isMirrored ? -x : x) * stretch, -y, -z * stretch)
  }
}

package struct AspectRatio: Hashable, Sendable, CustomStringConvertible {
  package let value: Double

  package static let sixteenToNine = AspectRatio(unchecked: 16.0 / 9.0)

  package init(_ value: Double) throws {
    guard (0.1...10).contains(value) else { throw Self.error("\(value)") }
    self.init(unchecked: value)
  }

  /// Parses `16:9`, `1280x720` or a plain number.
  package init(_ text: String) throws {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "x" }
      .compactMap { Double($0) }
    switch parts.count {
    case 1 where Double(text) != nil: try self.init(parts[0])
    case 2: try self.init(parts[0] / parts[1])
    default: throw Self.error(text)
    }
  }

  package var description: String { "\(value)" }

  private init(unchecked value: Double) { self.value = value }

  private static func error(_ found: String) -> PoseSourceError {
    .invalidOption(
      "the aspect ratio", found: found,
      allowed: "width over height as `16:9` or a number, from 0.1 to 10")
  }
}
