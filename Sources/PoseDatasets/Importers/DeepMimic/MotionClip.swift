import PoseModel

struct MotionClip {
  let file: NamedText
  let frames: [[Double]]
  let chain: KinematicChain

  /// The deviation of quaternion lengths from 1 that rounding explains; larger ones are counted in
  /// a note.
  private static let unitLengths = 0.999...1.001
  private static let shortestQuaternion = 1e-6
  /// The interval of a single frame without one: the rate of the published files.
  private static let usualInterval = 1.0 / 60

  /// Throws for a frame of the wrong length, an interval that is not positive, or a quaternion of
  /// length zero.
  func sequence(options: DeepMimicOptions) throws -> ImportedSequence {
    guard !frames.isEmpty else {
      throw PoseSourceError.unexpectedValue(
        file: file.name, path: "Frames", found: "empty", allowed: "at least one frame")
    }
    for (index, frame) in frames.enumerated() { try check(frame, index: index) }
    let times = try frameTimes()
    let poses = frames.map { frame in
      let pose = chain.pose(of: frame)
      let reflected = options.isReflected ? pose.mirrored : pose
      guard let turn = options.rotation?.matrix else { return reflected }
      return reflected.map { turn($0) }
    }
    let recording = recording(of: poses, times: times.frames, options: options)
    let name = file.stem + options.nameSuffix
    let labels: LabelTrack
    do {
      labels = try LabelTrack.runs(
        of: poses.map { _ in options.label }, times: times.frames, end: times.end)
    } catch {
      throw PoseSourceError.unusableLabels(sequence: name, error)
    }
    return ImportedSequence(
      name: name, recording: recording, labels: labels, startsMid: false,
      tags: tags(options), notes: notes(recording, options: options))
  }

  private func check(_ frame: [Double], index: Int) throws {
    guard frame.count == chain.frameLength else {
      throw error(
        index, "", CountText.of(frame.count, "number"),
        "\(chain.frameLength): interval, root and the entries of the skeleton's moving joints")
    }
    for (name, value) in chain.quaternions(in: frame) {
      let norm = (value * value).sum().squareRoot()
      guard norm >= Self.shortestQuaternion, norm.isFinite else {
        throw error(
          index, ", quaternion of \(name)", "of length \(norm)",
          "a quaternion that is not zero: its length is made 1")
      }
    }
  }

  /// In whole microseconds; the last frame's interval is often 0; it then lasts as long as the
  /// median.
  private func frameTimes() throws -> (frames: [Double], end: Double) {
    var intervals = frames.map { $0[0] }
    if intervals.last == 0 {
      intervals[intervals.count - 1] = intervals.dropLast().median ?? Self.usualInterval
    }
    var times = [0.0]
    var sum = 0.0
    for (index, interval) in intervals.enumerated() {
      sum += interval
      guard roundedToMicroseconds(sum) > times[index] else {
        throw error(index, "[0]", "\(interval)", "seconds to the next frame, 1e-6 or more")
      }
      times.append(roundedToMicroseconds(sum))
    }
    let end = times.removeLast()
    return (times, end)
  }

  private func recording(
    of poses: [BodyPose], times: [Double], options: DeepMimicOptions
  ) -> Recording {
    var header = RecordingHeader(
      skeleton: .vision3d, joints: BodyPose.joints(from: Set(BodyPose.limbs.map(\.joint))),
      frame: options.rotation == nil ? .world : .camera)
    header.up = options.rotation.map { $0.matrix(.unitY) }
    header.orientation = options.rotation == nil ? nil : .portrait
    header.subject = options.subject
    header.bodyHeight = chain.restPose.trunkAndLegLength
      .map(ReferenceBody.height(trunkAndLegLength:))
    var recording = Recording(header: header)
    recording.reserveCapacity(poses.count)
    for (time, pose) in zip(times, poses) {
      recording.append(
        time: Seconds(time),
        pose: pose.numbers(in: header.joints, origin: Vector3(0, 0, 0), scale: 1))
    }
    return recording
  }

  private func tags(_ options: DeepMimicOptions) -> [String: String] {
    var tags = ["source": file.stem]
    if options.isReflected { tags["reflected"] = "yes" }
    if let rotation = options.rotation { tags["rotation"] = rotation.text }
    return tags
  }

  private func notes(_ recording: Recording, options: DeepMimicOptions) -> [String] {
    var notes = [
      "\(CountText.of(frames.count, "frame")) of \(file.name), in meters by forward kinematics"
    ]
    if let height = recording.header.bodyHeight {
      notes.append(
        "body height \((height.value * 1000).rounded() / 1000) m is not measured: the path "
          + "shoulder-hip-knee-ankle over \(ReferenceBody.trunkAndLegShare)")
    }
    if let normalized { notes.append(normalized) }
    if options.isReflected { notes.append("reflected: x was negated and sides swapped") }
    if let rotation = options.rotation {
      notes.append("positions and up were turned by \(rotation.text) degrees")
    }
    return notes
  }

  private var normalized: String? {
    let lengths = frames.flatMap { frame in
      chain.quaternions(in: frame).map { ($0.value * $0.value).sum().squareRoot() }
    }.filter { !Self.unitLengths.contains($0) }
    guard let shortest = lengths.min(), let longest = lengths.max() else { return nil }
    func rounded(_ length: Double) -> Double { (length * 1000).rounded() / 1000 }
    return
      "normalized \(CountText.of(lengths.count, "quaternion")), as DeepMimic's own loader does: "
      + "lengths range from \(rounded(shortest)) to \(rounded(longest))"
  }

  private func error(
    _ frame: Int, _ part: String, _ found: String, _ allowed: String
  ) -> PoseSourceError {
    .unexpectedValue(
      file: file.name, path: "Frames[\(frame)]\(part)", found: found, allowed: allowed)
  }
}
