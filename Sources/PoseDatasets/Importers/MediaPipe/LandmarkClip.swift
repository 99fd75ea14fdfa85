import PoseModel

struct LandmarkClip {
  let table: LandmarkTable
  let rows: Range<Int>
  let meanings: [LabelTarget]
  let options: MediaPipeOptions
  let depth: Double

  func sequence(name: String, source: String) throws -> ImportedSequence {
    let times = try times()
    let poses = rows.map { table.pose(ofRow: $0, options: options).deepened(by: depth) }
    let isEmpty = poses.allSatisfy(\.positions.isEmpty)
    guard let scale = isEmpty ? 1 : ReferenceBody.metersPerUnit(of: poses) else {
      throw PoseSourceError.unscalableBody(
        file: table.file,
        lines: table.line(ofRow: rows.lowerBound)...table.line(ofRow: rows.upperBound - 1))
    }
    let recording =
      options.output == .imagePoints
      ? imageRecording(times) : recording(of: poses, times, scale: scale)
    let labels: LabelTrack
    do {
      labels = try LabelTrack.runs(
        of: Array(meanings[rows]), times: recording.times, end: end(of: recording))
    } catch {
      throw PoseSourceError.unusableLabels(sequence: name, error)
    }
    return ImportedSequence(
      name: name, recording: recording, labels: labels, startsMid: true,
      tags: tags(source: source), notes: notes(recording, scale: isEmpty ? nil : scale))
  }

  private func times() throws -> [Double] {
    guard let times = table.times else { return rows.indices.map { time(ofRow: $0) } }
    for row in rows.dropFirst() where times[row] <= times[row - 1] {
      throw PoseSourceError.unexpectedValue(
        file: SourcePlace(file: table.file, line: table.line(ofRow: row)).description,
        path: "`\(table.columns.timeName)`", found: "\(times[row]) after \(times[row - 1])",
        allowed: "times that increase within a clip; if another one begins here, lower the clip "
          + "break so that it ends")
    }
    return Array(times[rows])
  }

  private func time(ofRow row: Int) -> Double { options.time(ofFrame: row - rows.lowerBound) }

  private func end(of recording: Recording) -> Double {
    guard table.times != nil, let last = recording.times.last else {
      return options.time(ofFrame: rows.count)
    }
    return roundedToMicroseconds(last + recording.frameWeight.value)
  }

  private func recording(
    of poses: [BodyPose], _ times: [Double], scale: Double
  ) -> Recording {
    let limbs = table.columns.joints.keys.map { options.isMirrored ? $0.mirrored : $0 }
    var header = RecordingHeader(
      skeleton: .vision3d, joints: BodyPose.joints(from: Set(limbs)), frame: .camera)
    header.orientation = .portrait
    header.up = .unitY
    header.subject = options.subject
    header.bodyHeight = ReferenceBody.height
    header.heightEstimation = .reference
    if table.times == nil { header.nominalRate = options.frameRate }
    var recording = Recording(header: header)
    recording.reserveCapacity(poses.count)
    for (time, (pose, origin)) in zip(times, zip(poses, origins(of: poses))) {
      recording.append(
        time: Seconds(time),
        pose: pose.positions.isEmpty
          ? nil : pose.numbers(in: header.joints, origin: origin, scale: scale))
    }
    return recording
  }

  private static let nominalHeight = 1080

  private func imageRecording(_ times: [Double]) -> Recording {
    let own = table.columns.points.keys.map { options.isMirrored ? $0.mirrored : $0 }
    var header = RecordingHeader(
      skeleton: .vision2d, joints: Skeleton.vision2d.joints.filter(Set(own).contains),
      frame: .image)
    header.orientation = .portrait
    header.subject = options.subject
    if table.times == nil { header.nominalRate = options.frameRate }
    if case .image(let aspect) = options.coordinates {
      header.imageHeight = Self.nominalHeight
      header.imageWidth = Int((Double(Self.nominalHeight) * aspect.value).rounded())
    }
    let hasConfidences = table.columns.points.values.contains { $0.confidence != nil }
    var recording = Recording(header: header)
    recording.reserveCapacity(rows.count)
    for (time, row) in zip(times, rows) {
      let points = table.points(ofRow: row, isMirrored: options.isMirrored)
      guard points.values.contains(where: { $0.x.isFinite && $0.y.isFinite }) else {
        recording.append(time: Seconds(time), pose: nil)
        continue
      }
      let pose = header.joints.flatMap { joint -> [Float] in
        guard let point = points[joint], point.x.isFinite, point.y.isFinite else {
          return [.nan, .nan]
        }
        return [point.x, point.y]
      }
      let confidences = header.joints.map { points[$0]?.confidence ?? .nan }
      pose.withUnsafeBufferPointer { pose in
        confidences.withUnsafeBufferPointer { confidences in
          recording.append(
            time: time, pose: pose,
            confidences: hasConfidences ? confidences : nil)
        }
      }
    }
    return recording
  }

  /// Every frame's root; if it is missing, the last one before, and at the start the first one.
  private func origins(of poses: [BodyPose]) -> [Vector3] {
    let roots = poses.map { $0.positions[.root] }
    var last = roots.compactMap(\.self).first ?? Vector3(0, 0, 0)
    return roots.map { root in
      last = root ?? last
      return last
    }
  }

  private func tags(source: String) -> [String: String] {
    let labels = Set(table.labels[rows])
    var tags = ["source": source]
    if labels.count == 1, let label = labels.first { tags["source_label"] = label }
    return tags
  }

  /// `scale` is meters per unit of the table; nil if no row has a landmark.
  private func notes(_ recording: Recording, scale: Double?) -> [String] {
    let (first, last) = (table.line(ofRow: rows.lowerBound), table.line(ofRow: rows.upperBound - 1))
    var notes = [
      first == last
        ? "line \(first) of \(table.file)" : "lines \(first) to \(last) of \(table.file)",
      "labels in the source: \(labelSummary)",
    ]
    if options.output == .imagePoints {
      notes.append("points of an image of nominal size: the table has no pixels")
    } else if let scale {
      notes.append(
        "scaled by \((scale * 1e4).rounded() / 1e4) m per unit to the reference body of "
          + "\(ReferenceBody.height)")
    }
    if depth != 1 { notes.append("depth times \((depth * 1e3).rounded() / 1e3)") }
    if table.times != nil {
      notes.append("times are those of the column `\(table.columns.timeName)`")
    } else if rows.count > 1 {
      notes.append("times assume \(options.frameRate)")
    }
    if options.isMirrored {
      notes.append("mirrored images: x was flipped back, and left and right were swapped back")
    }
    let frames = 0..<recording.frameCount
    let empty = frames.count { !recording.hasPose(at: $0) }
    if empty > 0 { notes.append("rows without a landmark, frames without a pose: \(empty)") }
    let missing = frames.filter(recording.hasPose).reduce(0) { sum, frame in
      sum + recording.header.joints.count { recording.position(of: $0, at: frame) == nil }
    }
    if missing > 0 {
      notes.append("\(missing) joint positions are missing: a value was empty or not finite")
    }
    return notes
  }

  private var labelSummary: String {
    LabelCount.counts(of: Array(table.labels[rows])).map(\.description).joined(separator: ", ")
  }
}

extension TableDivision {
  /// The row ranges of a table's sequences, in order; together they cover every row.
  ///
  /// The step of a row is the median of abs(now - before) over x and y of all landmarks of the
  /// table, each compared with its last finite number, so that a missing value hides no jump. A row
  /// without a comparable number continues its clip.
  func ranges(of table: LandmarkTable) -> [Range<Int>] {
    switch self {
    case .stills: return (0..<table.rowCount).map { $0..<$0 + 1 }
    case .clips(let limit):
      let starts = Self.steps(of: table).enumerated()
        .filter { row, step in row == 0 || step.map { $0 > limit } ?? false }.map(\.offset)
      return zip(starts, starts.dropFirst() + [table.rowCount]).map { $0..<$1 }
    }
  }

  private static func steps(of table: LandmarkTable) -> [Double?] {
    let inImage = table.columns.coordinates.indices.filter {
      table.columns.coordinates[$0].isInImage
    }
    var last = Array(repeating: Double.nan, count: table.columns.coordinates.count)
    return (0..<table.rowCount).map { row in
      let numbers = table.numbers(ofRow: row)
      var steps: [Double] = []
      for slot in inImage {
        let number = numbers[numbers.startIndex + slot]
        guard number.isFinite else { continue }
        if last[slot].isFinite { steps.append((number - last[slot]).magnitude) }
        last[slot] = number
      }
      return steps.median
    }
  }
}
