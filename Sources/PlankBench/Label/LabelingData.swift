internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Reports

struct LabelingInput: Sendable {
  /// The page's title, and the browser's key for stored labels.
  var name: String
  var labelsFileName: String
  /// The flip of a mirrored image is not undone.
  var recording: Recording
  var strips: [LabelingStrip] = []
  var labels: LabelTrack?
  var facts: [LabelingFact] = []
  var doubts: [DoubtfulStretch] = []
  var activities: ActivityTrack?
  var guesses: [GuessedSegment] = []
  var video: String?

  static func labelsFileName(of name: String) -> String {
    let ending = DatasetAccess.recordingEndings.first(where: name.hasSuffix) ?? ""
    return name.dropLast(ending.count) + ".labels.csv"
  }
}

struct LabelingFact: Hashable, Sendable {
  var name: String
  var value: String
}

struct LabelingStrip: Hashable, Sendable {
  struct Threshold: Hashable, Sendable, Encodable {
    var name: String
    var value: Double

    static func all(of measurement: Measurement, in detector: BatchDetector) -> [Threshold] {
      let rules = detector.definition.plank.rules + detector.definition.form.rules
      return rules.flatMap(\.predicates).filter { $0.measurement == measurement }
        .compactMap { predicate in
          guard let value = try? detector.parameters.threshold(of: predicate) else { return nil }
          let sign = predicate.isNegated ? "-" : ""
          return Threshold(name: sign + predicate.parameter.rawValue, value: Double(value))
        }
    }
  }

  var name: String
  var unit: String
  var values: [Float]
  var thresholds: [Threshold] = []
}

struct LabelingQueue: Encodable {
  struct Entry: Encodable, Sendable {
    let name: String
    let labelsFile: String
    let hasLabels: Bool
    let labeled: Double

    private enum CodingKeys: String, SnakeCaseKey { case name, labeled, labelsFile, hasLabels }

    init(_ input: LabelingInput) {
      name = input.name
      labelsFile = input.labelsFileName
      hasLabels = input.labels != nil
      labeled = LabelingQueue.labeledShare(input)
    }
  }

  private let dataset: OrNull<String>
  private let recordings: [Entry]

  init(_ recordings: [Entry], dataset: String?) {
    self.dataset = OrNull(dataset)
    self.recordings = recordings
  }

  /// Ignored frames count as labeled, because somebody decided about them.
  private static func labeledShare(_ input: LabelingInput) -> Double {
    let times = input.recording.times
    guard let labels = input.labels, !times.isEmpty else { return 0 }
    let labeled = labels.truth(at: times).plank.count { $0 != FrameTruth.unlabeled }
    return Double(labeled) / Double(times.count)
  }
}

struct LabelingData: Encodable {
  private struct Strip: Encodable {
    let name: String
    let unit: String
    let values: String
    let step: Double
    let thresholds: [LabelingStrip.Threshold]
  }

  private struct Segment: Encodable {
    let start: Seconds
    let end: Seconds
    let plank: String
    let form: String
  }

  private struct Activity: Encodable {
    let start: Seconds
    let end: Seconds
    let name: String
  }

  private let name: String
  private let labelsFile: String
  private let facts: [[String]]
  private let joints: [String]
  private let bones: [[Int]]
  private let dimension: Int
  private let unit: Double
  private let positions: String
  private let states: String
  private let frames: Int
  private let times: String
  private let start: Double
  private let end: Double
  private let strips: [Strip]
  private let labels: [Segment]
  private let doubts: [DoubtfulStretch]
  private let activities: [Activity]
  private let guesses: [GuessedSegment]
  private let video: String?
  private let plankClasses = AnswerStream.plank.labels
  private let formClasses = AnswerStream.form.labels

  private enum CodingKeys: String, SnakeCaseKey {
    case name, facts, joints, bones, dimension, unit, positions, states, frames, times, start, end,
      strips, labels, doubts, activities, guesses, video, labelsFile, plankClasses, formClasses
  }

  init(_ input: LabelingInput) {
    let recording = input.recording
    let poses = UprightPoses(recording)
    name = input.name
    labelsFile = input.labelsFileName
    facts = input.facts.map { [$0.name, $0.value] }
    joints = recording.header.joints.map(\.name)
    bones = Self.bones(of: recording.header)
    dimension = recording.layout.dimension
    unit = poses.unit
    positions = PackedSteps.text(poses.positions, stride: recording.layout.stride)
    states = PackedColumn.text(poses.states.map(\.rawValue))
    frames = recording.frameCount
    times = PackedTimes.text([recording.times])
    start = recording.times.first ?? 0
    end = Self.end(of: recording)
    strips = input.strips.map { strip in
      let packed = PackedValues(strip.values)
      return Strip(
        name: strip.name, unit: strip.unit, values: packed.text, step: packed.unit,
        thresholds: strip.thresholds.filter(\.value.isFinite))
    }
    labels = (input.labels?.segments ?? []).map { segment in
      Segment(
        start: segment.start, end: segment.end, plank: segment.plank?.name ?? "ignore",
        form: segment.form?.name ?? "")
    }
    doubts = input.doubts
    guesses = input.guesses
    video = input.video
    activities = (input.activities?.segments ?? []).map {
      Activity(start: $0.start, end: $0.end, name: $0.name)
    }
  }

  static func bones(of header: RecordingHeader) -> [[Int]] {
    header.drawnBones.compactMap { bone in
      guard let parent = header.joints.firstIndex(of: bone.parent),
        let child = header.joints.firstIndex(of: bone.child)
      else { return nil }
      return [parent, child]
    }
  }

  /// The last frame's time plus a median interval, in seconds, rounded to a microsecond.
  static func end(of recording: Recording) -> Double {
    guard let last = recording.times.last else { return 0 }
    let end = last + recording.frameWeight.value
    let rounded = (end * 1e6).rounded() / 1e6
    return rounded > last ? rounded : end
  }
}

struct UprightPoses {
  enum State: UInt8 {
    case found = 0
    case noPose = 1
    case noCamera = 2
  }

  static let missing = Int16.min

  /// The length of one unit: 1 or 4 mm in 3D; a fraction of the image or of a pixel in 2D.
  let unit: Double
  let states: [State]
  /// `layout.stride` numbers per frame in the header's order, in units, clipped to the range of
  /// `Int16`.
  let positions: [Int16]

  init(_ recording: Recording) {
    let unit = Self.unit(of: recording.header.skeleton)
    self.unit = unit
    states = (0..<recording.frameCount).map { frame in
      if !recording.hasPose(at: frame) { return .noPose }
      return recording.isMissing(at: frame) ? .noCamera : .found
    }
    var positions: [Int16] = []
    positions.reserveCapacity(recording.frameCount * recording.layout.stride)
    let axes = AxesReader(recording.header)
    for frame in 0..<recording.frameCount {
      let turn = Self.turn(of: recording, at: frame, axes)
      for joint in recording.header.joints {
        let position = Self.position(of: joint, recording, at: frame).map { turn($0) }
        Self.append(position, recording.layout.dimension, unit, to: &positions)
      }
    }
    self.positions = positions
  }

  /// Uses image points as recorded, so that poses without an image size can be shown as well.
  private static func position(of joint: Joint, _ recording: Recording, at frame: Int) -> Vector3? {
    recording.layout.dimension == 2
      ? recording.position(of: joint, at: frame) : recording.evaluatedPosition(of: joint, at: frame)
  }

  /// In space, less than a pixel of a figure that is not enlarged.
  private static func unit(of skeleton: Skeleton) -> Double {
    switch skeleton {
    case .vision3d: 0.004
    case .vision2d: 1.0 / 8192
    case .coco17: 0.25
    }
  }

  private static func turn(
    of recording: Recording, at frame: Int, _ axes: AxesReader
  ) -> Rotation3 {
    switch recording.header.skeleton {
    case .vision3d:
      return axes.axes(at: frame, of: recording).map { uprightTurn(up: $0.up) } ?? .identity
    case .vision2d:
      var aspect = 1.0
      if let width = recording.header.imageWidth, let height = recording.header.imageHeight {
        aspect = Double(width) / Double(max(height, 1))
      }
      return Rotation3(Vector3(aspect, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
    case .coco17: return Rotation3(Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, 1))
    }
  }

  /// If a camera looks straight up or down, the image's y axis takes the place of the direction of
  /// view.
  static func uprightTurn(up: Vector3) -> Rotation3 {
    let isVertical = up.z.magnitude > 0.99
    let view = isVertical ? Vector3(0, up.z > 0 ? -1 : 1, 0) : Vector3(0, 0, 1)
    let level = view - up * view.dot(up)
    let z = level / level.norm
    let x = up.cross(z)
    return Rotation3(Vector3(x.x, up.x, z.x), Vector3(x.y, up.y, z.y), Vector3(x.z, up.z, z.z))
  }

  private static func append(
    _ position: Vector3?, _ dimension: Int, _ unit: Double, to positions: inout [Int16]
  ) {
    guard let position else {
      positions.append(contentsOf: repeatElement(missing, count: dimension))
      return
    }
    func steps(_ number: Double) -> Int16 {
      Int16(min(max((number / unit).rounded(), -32767), 32767))
    }
    positions.append(steps(position.x))
    positions.append(steps(position.y))
    if dimension > 2 { positions.append(steps(position.z)) }
  }
}

struct DoubtfulStretch: Hashable, Sendable, Encodable {
  let frames: Range<Int>
  let changes: Int
  /// The smallest distance from a threshold that would change the answer on its own, as a share of
  /// the parameter's range.
  let distance: Double?

  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(frames.lowerBound)
    try list.encode(frames.upperBound)
    try list.encode(changes)
    try list.encode(OrNull(distance))
  }
}

/// Stretches of frames whose answer is unsure: it changes before debounce, or a measurement is near
/// a threshold that would change it on its own.
///
/// Unsure frames that are at most `pause` apart form one stretch. The form counts only in frames
/// answered with a plank, because nobody judges the form elsewhere.
enum DoubtfulStretches {
  static let nearness = 0.02
  static let pause = 0.5
  static let most = 100

  /// Ordered by the number of changes, then by the nearest threshold, then by time.
  static func find(
    _ recording: Recording, _ detector: BatchDetector, _ columns: MeasurementColumns
  ) -> [DoubtfulStretch] {
    guard recording.layout.dimension == 3 else { return [] }
    let frames = doubts(columns, times: recording.times, detector)
    let found = stretches(frames, times: recording.times)
    return Array(
      found.sorted { left, right in
        if left.changes != right.changes { return left.changes > right.changes }
        let distances = (left.distance ?? .infinity, right.distance ?? .infinity)
        return distances.0 == distances.1
          ? left.frames.lowerBound < right.frames.lowerBound : distances.0 < distances.1
      }.prefix(most))
  }

  private struct Doubt {
    var changes = 0
    var distance = Double.infinity

    var isUnsure: Bool { changes > 0 || distance < nearness }
  }

  private static func doubts(
    _ columns: MeasurementColumns, times: [Double], _ detector: BatchDetector
  ) -> [Doubt] {
    let answers = detector.detect(columns, times: times, startsMid: false)
    var doubts = [Doubt](repeating: Doubt(), count: times.count)
    for stream in AnswerStream.allCases {
      let raw = answers[stream].raw
      func counts(_ frame: Int) -> Bool {
        answers[stream].isDetermined(at: frame)
          && (stream == .plank || ![0, Debouncer.undetermined].contains(answers.plank.raw[frame]))
      }
      for frame in times.indices.dropFirst()
      where counts(frame) && counts(frame - 1) && raw[frame] != raw[frame - 1] {
        doubts[frame].changes += 1
      }
      let distances = (try? detector.nearestDistances(stream, columns, times: times)) ?? []
      for (frame, distance) in distances.enumerated() where counts(frame) {
        doubts[frame].distance = min(doubts[frame].distance, distance ?? .infinity)
      }
    }
    return doubts
  }

  private static func stretches(_ doubts: [Doubt], times: [Double]) -> [DoubtfulStretch] {
    var ranges: [Range<Int>] = []
    for frame in doubts.indices where doubts[frame].isUnsure {
      if let last = ranges.last, times[frame] - times[last.upperBound - 1] <= pause {
        ranges[ranges.count - 1] = last.lowerBound..<(frame + 1)
      } else {
        ranges.append(frame..<(frame + 1))
      }
    }
    return ranges.map { range in
      let distance = doubts[range].map(\.distance).min() ?? .infinity
      return DoubtfulStretch(
        frames: range, changes: doubts[range].reduce(0) { $0 + $1.changes },
        distance: distance.isFinite ? distance : nil)
    }
  }
}

struct GuessedSegment: Hashable, Sendable, Encodable {
  let start: Int
  var end: Int
  let plank: String
  let form: String

  static let shortest = 0.3

  /// Uses the answers before debounce, because debounce would delay every boundary.
  static func all(
    _ recording: Recording, _ detector: BatchDetector, _ columns: MeasurementColumns,
    startsMid: Bool
  ) -> [Self] {
    guard detector.definition.mismatch(with: recording.header) == nil else { return [] }
    let answers = detector.detect(columns, times: recording.times, startsMid: startsMid)
    var segments: [Self] = []
    for frame in recording.times.indices {
      let (plank, form) = answers.rawLabel(at: frame)
      guard let plank else { continue }
      let name = plank == .none ? "" : form?.name ?? ""
      if let last = segments.last, last.end == frame, last.plank == plank.name, last.form == name {
        segments[segments.count - 1].end += 1
      } else {
        segments.append(Self(start: frame, end: frame + 1, plank: plank.name, form: name))
      }
    }
    return joined(segments, times: recording.times)
  }

  private static func joined(_ segments: [Self], times: [Double]) -> [Self] {
    segments.reduce(into: []) { joined, segment in
      guard let last = joined.last, last.end == segment.start else {
        joined.append(segment)
        return
      }
      let isSame = last.plank == segment.plank && last.form == segment.form
      let isShort = times[segment.end - 1] - times[segment.start] < shortest
      if isSame || isShort {
        joined[joined.count - 1].end = segment.end
      } else {
        joined.append(segment)
      }
    }
  }
}
