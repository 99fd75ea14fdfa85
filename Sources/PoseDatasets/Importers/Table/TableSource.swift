import PoseModel

/// Reads tables of poses by a map.
///
/// Positions are in meters (in 2D, in the skeleton's unit), with sides unmirrored. The only joints
/// that are added, if missing, are `root` and `centerShoulder`.
package struct TableSource: PoseSource {
  package static let name = "table"

  package let options: TableOptions

  package init(options: TableOptions) { self.options = options }

  package func sequences(from files: [NamedBytes]) throws -> [ImportedSequence] {
    if let poseNet = options.map.poseNet {
      return try PoseNetSource(poseNet, options).sequences(from: files)
    }
    var sequences: [ImportedSequence] = []
    if options.map.layout.isFramePerFile {
      for recording in FrameFiles.recordings(of: files, name: \.name) {
        let name = recording.name.map { NamedBytes(name: $0, bytes: []).stem }
        sequences += try self.sequences(
          of: recording.files,
          name: name ?? options.sequenceName ?? recording.files.first?.folderName ?? "frames")
      }
    } else {
      for file in files { sequences += try self.sequences(of: [file], name: file.stem) }
    }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }

  private func sequences(of files: [NamedBytes], name: String) throws -> [ImportedSequence] {
    let contents = try files.map(TableContent.init)
    let table = try PoseTable(contents, layout: options.map.layout)
    if table.count == 1 { try contents.first?.requireOrder(options.map.layout) }
    return try TableClips(table, options: options).sequences(name: name)
  }
}

package struct TableOptions: Sendable {
  package var map: TableMap
  package var labels: LabelMap
  package var subject: String?
  package var keepsClock: Bool
  package var sequenceName: String?
  package var person: Int?
  package var isEveryone: Bool
  package var acceptsNobody = false

  package init(
    map: TableMap, labels: LabelMap = LabelMap(), subject: String? = nil, keepsClock: Bool = false,
    sequenceName: String? = nil, person: Int? = nil, isEveryone: Bool = false
  ) {
    self.person = person
    self.isEveryone = isEveryone
    self.map = map
    self.labels = labels
    self.subject = subject
    self.keepsClock = keepsClock
    self.sequenceName = sequenceName
  }
}

extension NamedBytes {
  fileprivate var folderName: String? {
    let parts = name.split(separator: "/")
    guard parts.count > 1 else { return nil }
    return NamedBytes(name: String(parts[parts.count - 2]) + ".x", bytes: []).stem
  }
}

struct TableClip {
  private let table: PoseTable
  private let options: TableOptions
  private let map: TableMap
  private let joints: [Joint]
  private var frames: [MappedFrame]
  private let places: [Int]
  private let ownNotes: [String]

  init(
    _ table: PoseTable, options: TableOptions, _ frames: [MappedFrame], at places: [Int],
    notes: [String]
  ) {
    self.table = table
    self.options = options
    self.frames = frames
    self.places = places
    ownNotes = notes
    map = options.map
    joints = map.mappedJoints
    if map.fillers.contains(.zero) { dropZeroRoots() }
    if let longest = map.longestRepeat { dropRepeats(longerThan: longest) }
  }

  func sequence(name: String) throws -> ImportedSequence {
    guard options.acceptsNobody || hasPoses else { throw noPose }
    let (times, clockNote) = try times()
    let scale = try scale()
    let recording = try recording(times: times, metersPerUnit: scale.metersPerUnit)
    guard map.frame != .camera || !recording.looksFixedToPelvis else { throw isFixedToPelvis }
    var notes = ["\(CountText.of(frames.count, "frame")) of \(table.file)", scale.note]
    let empty = frames.count { $0.isEmpty }
    if empty > 0 { notes.append("\(CountText.of(empty, "frame")) without a pose") }
    if let clockNote { notes.append(clockNote) }
    notes += ownNotes
    let labels = try labels(times: recording.times, weight: recording.frameWeight.value)
    if let note = missingNote(recording) { notes.append(note) }
    var tags = ["source": name]
    let texts = Set(frames.map(\.label))
    if map.isStills || map.cut != nil, texts.count == 1, let text = texts.first, !text.isEmpty {
      tags["source_label"] = text
    }
    var sequence = ImportedSequence(
      name: name, recording: recording, labels: labels, startsMid: false, tags: tags, notes: notes)
    try sequence.unmirror(file: table.file)
    return sequence
  }

  /// Removes roots at 0 that are not the origin.
  ///
  /// A root that is 0 in each pose is the origin. Otherwise, a root at 0 is missing. It is always
  /// missing in a pose without any other joint.
  private mutating func dropZeroRoots() {
    guard map.skeleton.dimension == 3, let root = joints.firstIndex(of: .root) else { return }
    func isAlone(_ frame: MappedFrame) -> Bool {
      frame.positions.indices.allSatisfy { $0 == root || !frame.positions[$0].isFinite }
    }
    let isOrigin = frames.allSatisfy {
      $0.hasRootAtZero || isAlone($0) || !$0.positions[root].isFinite
    }
    for frame in frames.indices where frames[frame].hasRootAtZero {
      if !isOrigin || isAlone(frames[frame]) { frames[frame].positions[root] = .missing }
    }
  }

  /// Keeps only the first pose of each run of more than `longest` equal poses, because a detector
  /// did not find the others.
  private mutating func dropRepeats(longerThan longest: Int) {
    var start = 0
    for end in 1..<max(frames.count, 1) + 1 {
      if end < frames.count, frames[end].hasSamePositions(as: frames[start]) { continue }
      if end - start > longest {
        for index in start + 1..<end { frames[index].dropPositions() }
      }
      start = end
    }
  }

  private var hasPoses: Bool { frames.contains { !$0.isEmpty } }

  private func place(_ index: Int) -> String { table.place(places[index]).description }

  private func missingNote(_ recording: Recording) -> String? {
    let found = (0..<recording.frameCount).filter { recording.hasPose(at: $0) }
    let missing = found.reduce(0) { sum, frame in
      sum + recording.header.joints.count { recording.position(of: $0, at: frame) == nil }
    }
    return missing == 0
      ? nil : "\(CountText.of(missing, "joint position")) missing in frames with a pose"
  }

  private var noPose: PoseSourceError {
    .unexpectedValue(
      file: table.file, path: "joints", found: "no pose in \(CountText.of(frames.count, "frame"))",
      allowed:
        "joints in at least one frame. The map may name the wrong fields, or its `confidence` or "
        + "`missing` may drop all joints; `planklab doctor` shows the file's contents")
  }

  private var isFixedToPelvis: PoseSourceError {
    .unexpectedValue(
      file: table.file, path: "joints",
      found: "positions relative to the pelvis without a camera matrix, in which standing and "
        + "planking look the same",
      allowed:
        "positions of a camera or of a world, or Vision's cameraOriginMatrix with every frame "
        + "(`frame: pelvis` and `camera_matrix` in the map)")
  }

  private func times() throws -> (times: [Double], note: String?) {
    guard map.time.source != nil else {
      let rate = map.time.rate ?? 30
      return (
        frames.indices.map { roundedToMicroseconds(Double($0) / rate) },
        "times assume \(rate) frames per second, because the file has none"
      )
    }
    let clock = frames.map(\.time)
    let origin = options.keepsClock ? 0 : clock.first ?? 0
    var times: [Double] = []
    for index in frames.indices {
      let time = roundedToMicroseconds(clock[index] - origin)
      guard time > times.last ?? -.infinity else {
        throw PoseSourceError.unexpectedValue(
          file: place(index), path: map.time.source ?? "",
          found: time.isFinite && index > 0
            ? "\(clock[index]) s after \(clock[index - 1]) s" : "no readable time",
          allowed: "times that increase from frame to frame")
      }
      times.append(time)
    }
    let note = origin == 0 ? nil : "times start at 0, which is \(origin) s on the file's clock"
    return (times, note)
  }

  private func labels(times: [Double], weight: Double) throws -> LabelTrack {
    guard let labels = map.labels, let last = times.last else { return LabelTrack() }
    var targets = options.labels.targets
    for (label, text) in labels.classes where targets[label] == nil {
      targets[label] = try LabelTarget(text)
    }
    let meanings = try LabelMap(targets).meanings(of: frames.map(\.label), file: table.file)
    let end = map.time.source == nil ? Double(frames.count) / (map.time.rate ?? 30) : last + weight
    return try LabelTrack.runs(
      of: meanings, times: times, end: roundedToMicroseconds(end), in: table.file)
  }

  private func scale() throws -> (metersPerUnit: Double, note: String) {
    if map.skeleton.dimension == 2 {
      let size = map.imageSize.map { "\($0.width) x \($0.height) pixels" } ?? ""
      return (1, "points in an image of \(size)")
    }
    if let meters = map.units.meters { return (meters, "positions are in \(map.units.rawValue)") }
    guard hasPoses else { return (1, "nobody is visible") }
    let bodies = frames.lazy.filter { !$0.isEmpty }
      .map { BodyPose(limbs: $0.positions(of: joints)) }
    guard let scale = ReferenceBody.metersPerUnit(of: bodies) else {
      throw PoseSourceError.unexpectedValue(
        file: table.file, path: "units",
        found: "\(map.units.rawValue), but no frame shows shoulders, hips, knees and ankles, from "
          + "which body size is measured",
        allowed: "a unit of length such as `units: m`, or frames with a whole body")
    }
    let rounded = (scale * 1e4).rounded() / 1e4
    return (
      scale, "scaled by \(rounded) m per unit to the reference body of \(ReferenceBody.height)"
    )
  }

  private var header: RecordingHeader {
    let all = map.skeleton.dimension == 3 ? BodyPose.joints(from: Set(joints)) : joints
    var header = RecordingHeader(skeleton: map.skeleton, joints: all, frame: map.frame)
    header.orientation = map.orientation
    header.cameraPosition = map.cameraPosition
    header.buffer = map.buffer
    header.up = map.up
    header.isMirrored = map.isMirrored
    header.subject = options.subject
    if map.time.source == nil { header.nominalRate = Hertz(map.time.rate ?? 30) }
    if map.skeleton.dimension == 2 {
      header.imageWidth = map.uprightImageSize?.width
      header.imageHeight = map.uprightImageSize?.height
    } else if map.units.meters == nil {
      header.bodyHeight = ReferenceBody.height
      header.heightEstimation = .reference
    } else {
      header.bodyHeight = map.bodyHeight.map(Meters.init)
    }
    return header
  }

  /// The largest coordinate, in meters or pixels; recordings hold 32-bit numbers.
  private static let farthest = 1e9

  private func recording(times: [Double], metersPerUnit: Double) throws -> Recording {
    let header = header
    let isCentered = header.frame == .camera && map.skeleton.dimension == 3
    var recording = Recording(header: header)
    recording.reserveCapacity(frames.count)
    var origin = Vector3(0, 0, 0)
    for (index, frame) in frames.enumerated() {
      let pose = frame.isEmpty ? nil : withMiddles(frame, header.joints)
      if isCentered, let root = header.joints.firstIndex(of: .root), let pose, pose[root].isFinite {
        origin = pose[root]
      }
      if pose != nil, header.upDirection == .perFrameOnly, frame.up == nil {
        throw PoseSourceError.unexpectedValue(
          file: place(index), path: "up", found: "missing", allowed: UpDirection.remedy)
      }
      let scaled = pose?.map { ($0 - origin) * metersPerUnit }
      if let pose, let scaled,
        let far = pose.indices.first(where: {
          pose[$0].isFinite && !(scaled[$0].norm <= Self.farthest)
        })
      {
        let most = [pose[far].x, pose[far].y, pose[far].z].max { $0.magnitude < $1.magnitude } ?? 0
        throw PoseSourceError.unexpectedValue(
          file: place(index), path: header.joints[far].name,
          found: "at \(most), too far away for a body",
          allowed: "positions of one body; leave a missing joint's fields empty")
      }
      append(frame, scaled, at: times[index], to: &recording)
    }
    return recording
  }

  private func append(
    _ frame: MappedFrame, _ pose: [Vector3]?, at time: Double, to recording: inout Recording
  ) {
    let dimension = map.skeleton.dimension
    let numbers = pose?.flatMap { position -> [Float] in
      [Float(position.x), Float(position.y), Float(position.z)].prefix(dimension).map {
        position.isFinite ? $0 : .nan
      }
    }
    let extras = FrameExtras(up: frame.up, camera: frame.camera, bodyHeight: frame.bodyHeight)
    guard dimension == 2, map.confidence != nil, let numbers else {
      return recording.append(time: Seconds(time), pose: numbers, extras: extras)
    }
    numbers.withUnsafeBufferPointer { numbers in
      frame.confidences.withUnsafeBufferPointer { confidences in
        recording.append(time: time, pose: numbers, extras: extras, confidences: confidences)
      }
    }
  }

  private func withMiddles(_ frame: MappedFrame, _ order: [Joint]) -> [Vector3] {
    func position(_ joint: Joint) -> Vector3 {
      joints.firstIndex(of: joint).map { frame.positions[$0] } ?? .missing
    }
    return order.map { joint in
      if joints.contains(joint) { return position(joint) }
      switch joint {
      case .root: return position(.leftHip).midpoint(position(.rightHip))
      case .centerShoulder: return position(.leftShoulder).midpoint(position(.rightShoulder))
      default: return .missing
      }
    }
  }
}
