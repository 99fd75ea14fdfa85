import PoseModel

/// The frames of one dump on their way into a recording.
struct VisionClip {
  /// The dump's name.
  let file: String
  /// What holds for all frames.
  let header: VisionDump.Header
  /// The frames in order.
  let frames: [VisionFrame]
  /// How the dump is to be read.
  let options: VisionOptions

  /// Checks the frames of a dump.
  ///
  /// - Throws: `PoseSourceError` with file and line of the first fault.
  init(_ dump: VisionDump, options: VisionOptions) throws(PoseSourceError) {
    file = dump.file
    header = dump.header
    self.options = options
    var frames: [VisionFrame] = []
    for (place, frame) in dump.frames { frames.append(try VisionFrame(frame, at: place)) }
    self.frames = frames
  }

  /// Makes the sequence of the dump.
  func sequence(name: String) throws(PoseSourceError) -> ImportedSequence {
    let poses = frames.filter { !$0.positions.isEmpty }
    let turned = poses.count { $0.matrix != nil }
    guard poses.isEmpty || turned > 0 else {
      throw .unexpectedValue(
        file: file, path: "cameraOriginMatrix", found: "missing in every frame",
        allowed: "Vision's matrix with every pose: positions alone do not tell how the body lies")
    }
    let (convention, conventionNote) = try convention()
    var recording = try recording(convention: convention)
    var notes = ["\(frames.count) frames of \(file), \(poses.count) with a pose", conventionNote]
    if turned < poses.count {
      notes.append("missing for lack of a camera matrix: \(poses.count - turned) of the poses")
    }
    if !poses.isEmpty, !recording.looksFixedToPelvis {
      notes.append(
        "the hips do not stay on the x axis, so the positions may not be in pelvis axes: log "
          + "pointInImage, which tells")
    }
    if recording.header.isMirrored {
      notes.append("mirrored images: x was turned around and left and right were swapped back")
    }
    do {
      try recording.unmirror()
    } catch {
      throw .unexpectedValue(
        file: file, path: "mirrored", found: "true", allowed: "\(error)")
    }
    if let clockNote { notes.append(clockNote) }
    return ImportedSequence(
      name: name, recording: recording, labels: try noLabels(name), startsMid: false,
      tags: ["source": name], notes: notes)
  }

  private func recording(convention: CameraConvention) throws(PoseSourceError) -> Recording {
    let header = try header.recordingHeader(options: options, file: file)
    var recording = Recording(header: header)
    recording.reserveCapacity(frames.count)
    let origin = options.keepsClock ? 0 : frames.first?.timestamp ?? 0
    for frame in frames {
      let time = roundedToMicroseconds(frame.timestamp - origin)
      guard time > recording.times.last ?? -.infinity else {
        throw .unexpectedValue(
          file: frame.place.description, path: "timestamp", found: "\(frame.timestamp)",
          allowed: "a time after the frame before by a microsecond or more: sort the frames")
      }
      if !frame.positions.isEmpty, frame.matrix != nil, frame.up == nil,
        header.upDirection == .perFrameOnly
      {
        throw .unexpectedValue(
          file: frame.place.description, path: "up", found: "missing", allowed: UpDirection.remedy)
      }
      recording.append(
        time: Seconds(time), pose: frame.numbers(in: header.joints),
        extras: FrameExtras(
          up: frame.up, camera: frame.matrix.map(convention.standardized),
          bodyHeight: frame.bodyHeight, heightEstimation: frame.heightEstimation))
    }
    return recording
  }

  private var clockNote: String? {
    guard !options.keepsClock, let first = frames.first?.timestamp, first != 0 else { return nil }
    return "times start at 0: the dump's clock showed \(first) s at the first frame"
  }

  private func noLabels(_ name: String) throws(PoseSourceError) -> LabelTrack {
    do {
      return try LabelTrack([])
    } catch {
      throw .unusableLabels(sequence: name, error)
    }
  }
}

extension VisionFrame {
  /// The positions as a recording stores them; nil without a pose.
  func numbers(in joints: [Joint]) -> [Float]? {
    guard !positions.isEmpty else { return nil }
    return joints.flatMap { joint in
      guard let position = positions[joint] else { return [Float.nan, .nan, .nan] }
      return [Float(position.x), Float(position.y), Float(position.z)]
    }
  }
}
