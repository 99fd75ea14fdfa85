package import PoseModel

/// Reads dumps of Apple Vision's 2D body pose observations in the form of docs/recording.md.
///
/// Joints that are absent or have a confidence of 0 are missing.
package struct Vision2DSource: PoseSource {
  package static let name = "vision2d"
  package static let readsFilesApart = true

  package let options: Vision2DOptions

  package init(options: Vision2DOptions = Vision2DOptions()) { self.options = options }

  package func sequences(from files: [NamedText]) throws -> [ImportedSequence] {
    let sequences = try files.flatMap { file in
      try Vision2DClip(VisionDump(file), options: options).sequences(name: file.stem)
    }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }

  package struct Point: Hashable, Sendable {
    package let joint: Joint
    /// The location, normalized, with the origin in the lower left corner.
    package let location: ImagePoint
    package let confidence: Float

    package init(_ joint: Joint, _ location: ImagePoint, confidence: Float) {
      self.joint = joint
      self.location = location
      self.confidence = confidence
    }
  }

  /// Makes the sequence of the most prominent person; without people, the sequence has no poses.
  ///
  /// `times` are increasing seconds in whole microseconds. Points that are invalid or not finite
  /// are missing.
  package static func sequence(
    named name: String, header: RecordingHeader, times: [Double], people: [[[Point]]]
  ) -> ImportedSequence {
    let size = header.imageSize
    let aspect = size.map { Double($0.width) / Double($0.height) } ?? 1
    let images = people.map { people in
      people.compactMap { points -> ImagePerson? in
        let valid = points.filter {
          $0.confidence > 0 && $0.location.x.isFinite && $0.location.y.isFinite
        }
        guard !valid.isEmpty else { return nil }
        return ImagePerson(
          positions: Dictionary(
            valid.map { ($0.joint, SIMD2($0.location.x * aspect, $0.location.y)) }
          ) { first, _ in first },
          confidences: Dictionary(valid.map { ($0.joint, $0.confidence) }) { first, _ in first })
      }
    }
    let all = TrackedPeople(
      name: name, header: header, times: times, images: images, aspect: aspect)
    return all.sequences(everyone: false)[0]
  }
}

package struct Vision2DOptions: Hashable, Sendable {
  package var dump: VisionOptions
  package var imageSize: ImageSize?
  package var isEveryone: Bool

  package init(
    dump: VisionOptions = VisionOptions(), imageSize: ImageSize? = nil, isEveryone: Bool = false
  ) {
    self.dump = dump
    self.imageSize = imageSize
    self.isEveryone = isEveryone
  }
}

struct Vision2DFrame: DumpedFrame {
  static let format = "vision2d-dump"
  static let allowedForms = [
    "`observations": "an array of {\"joints\": {NAME: [x, y, confidence]}}, empty where nobody was "
      + "found; a point can also be {\"location\": [x, y], \"confidence\": c}"
  ]

  struct Observation: Decodable {
    let joints: [String: DumpedPoint]
  }

  let timestamp: Double
  let observations: [Observation]
}

struct DumpedPoint: Decodable {
  let location: ImagePoint
  let confidence: Double

  private enum Keys: String, CodingKey { case location, confidence }

  init(from decoder: any Decoder) throws {
    if let named = try? decoder.container(keyedBy: Keys.self) {
      location =
        named.contains(.location)
        ? try named.decode(DumpPoint.self, forKey: .location).point
        : try DumpPoint(from: decoder).point
      confidence = try named.decode(Double.self, forKey: .confidence)
      return
    }
    let container = try decoder.singleValueContainer()
    let numbers = try container.decode([Double].self)
    guard numbers.count == 3 else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "found \(numbers.count), but a point has 3 numbers")
    }
    location = ImagePoint(x: numbers[0], y: numbers[1])
    confidence = numbers[2]
  }
}

struct Vision2DClip {
  static let mostPeople = 100
  /// The range of plausible coordinates, as fractions of the image; Vision's points are inside the
  /// image or slightly beyond an edge.
  static let locations = -1.0...2.0

  private let file: String
  private let header: RecordingHeader
  private let isEveryone: Bool
  private let times: [Double]
  private let clockNote: String?
  private let images: [[ImagePerson]]
  private let emptyCount: Int
  private let aspect: Double

  init(_ dump: VisionDump<Vision2DFrame>, options: Vision2DOptions) throws {
    file = dump.file
    isEveryone = options.isEveryone
    var header = try dump.header.recordingHeader(
      RecordingHeader(skeleton: .vision2d, joints: Skeleton.vision2d.joints, frame: .image),
      options: options.dump, file: dump.file)
    if let size = options.imageSize { header.imageSize = size }
    guard let size = header.imageSize else {
      throw PoseSourceError.unexpectedValue(
        file: dump.file, path: "`imageWidth` or `imageHeight` of the header", found: "missing",
        allowed: "the size in pixels of the images as Vision saw them, there or as an option; "
          + "without it, the body's proportions are unknown")
    }
    self.header = header
    aspect = Double(size.width) / Double(size.height)
    times = try dump.times(keepsClock: options.dump.keepsClock)
    clockNote = dump.clockNote(keepsClock: options.dump.keepsClock)
    let aspect = aspect
    images = try dump.frames.map { try Self.people(in: $0.frame, aspect: aspect, at: $0.place) }
    emptyCount = zip(dump.frames, images).reduce(0) {
      $0 + $1.0.frame.observations.count - $1.1.count
    }
  }

  func sequences(name: String) throws -> [ImportedSequence] {
    let people = TrackedPeople(
      name: name, header: header, times: times, images: images, aspect: aspect)
    var sequences = people.sequences(everyone: isEveryone)
    for index in sequences.indices {
      try sequences[index].unmirror(file: file)
      if emptyCount > 0 {
        sequences[index].notes.append(
          "\(file): \(CountText.of(emptyCount, "observation")) without a valid joint omitted")
      }
      if let clockNote { sequences[index].notes.append(clockNote) }
    }
    return sequences
  }

  private static func people(
    in frame: Vision2DFrame, aspect: Double, at place: SourcePlace
  ) throws -> [ImagePerson] {
    guard frame.observations.count <= mostPeople else {
      throw place.unexpected(
        "observations", "of \(frame.observations.count) people",
        "those of one image, at most \(mostPeople)")
    }
    var people: [ImagePerson] = []
    for (number, observation) in frame.observations.enumerated() {
      var positions: [Joint: SIMD2<Double>] = [:]
      var confidences: [Joint: Float] = [:]
      for (name, point) in observation.joints.sorted(by: { $0.key < $1.key }) {
        let path = "observations[\(number)].joints"
        guard let joint = Skeleton.vision2d.joint(called: name) else {
          throw place.unexpected(
            "the joint `\(name)` of \(path)", "unknown",
            "a raw key such as left_forearm_joint or a name such as leftElbow")
        }
        guard confidences.updateValue(Float(point.confidence), forKey: joint) == nil else {
          throw place.unexpected(
            "\(path).\(name)", "given twice", "each joint once, by its raw key or its name")
        }
        if let location = try valid(point, at: place, "\(path).\(name)") {
          positions[joint] = SIMD2(location.x * aspect, location.y)
        }
      }
      if !positions.isEmpty {
        people.append(ImagePerson(positions: positions, confidences: confidences))
      }
    }
    return people
  }

  private static func valid(
    _ point: DumpedPoint, at place: SourcePlace, _ path: String
  ) throws -> ImagePoint? {
    guard (0...1).contains(point.confidence) else {
      throw place.unexpected(
        "the confidence of \(path)", "\(point.confidence)",
        "a number from 0, for an invalid point, to 1")
    }
    guard point.confidence > 0 else { return nil }
    guard locations.contains(point.location.x), locations.contains(point.location.y) else {
      throw place.unexpected(
        path, "at \(point.location.x), \(point.location.y)",
        "shares of the image's width and height, 0 to 1, from its lower left corner; divide pixels "
          + "by the image's size")
    }
    return point.location
  }
}
