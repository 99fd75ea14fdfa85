internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

extension DatasetShow {
  private static let chosenMoments = 6

  func draw(_ file: String) throws -> Outcome {
    guard let name = sequence else {
      throw WorkflowFailure(.usage, "--picture needs --sequence with the recording to draw")
    }
    let reader = try DatasetAccess.open(dataset)
    guard let entry = try Self.chosen(reader, name).first else { return Outcome("") }
    let sequence = try reader.load(entry)
    let recording = sequence.recording
    guard recording.frameCount > 0 else {
      throw WorkflowFailure(.badData, "\(name): has no frames; draw another recording")
    }
    if recording.layout.dimension == 2 { return try drawWireframe(sequence, to: file) }
    let times =
      at.isEmpty
      ? Array(Self.typicalTimes(sequence).prefix(Self.chosenMoments)) : at.map(\.seconds).sorted()
    let figure = try Self.figure(sequence, times: times)
    try OutputFile.writeReport(figure.svg(), to: file)
    return .sentence(
      "wrote \(file): \(NumberText.count(times.count, "moment")) of \(sequence.name)")
  }

  private func drawWireframe(_ sequence: DatasetSequence, to file: String) throws -> Outcome {
    guard at.count <= 1 else {
      throw WorkflowFailure(.usage, "--picture of a 2D recording shows one moment; give one --at")
    }
    let figure: WireframeFigure
    if let time = at.first?.seconds {
      let frame = try Self.frame(at: time, of: sequence.recording)
      figure = WireframeFigure(title: sequence.name, [sequence.recording], frame: frame)
    } else {
      figure = WireframeFigure(title: sequence.name, firstPoseOf: [sequence.recording])
    }
    try OutputFile.writeReport(figure.svg(), to: file)
    return .sentence("wrote \(file): one moment of \(sequence.name)")
  }

  private static func figure(_ sequence: DatasetSequence, times: [Double]) throws -> PoseFigure {
    let recording = sequence.recording
    let columns = MeasurementColumns(recording, .all, reading: .gravity)
    let truth = sequence.truth()
    var moments: [PoseFigure.Moment] = []
    for time in times {
      let frame = try frame(at: time, of: recording)
      let (label, state) = label(sequence, truth, frame: frame)
      moments.append(
        PoseFigure.Moment(
          frame: frame, label: label, state: state,
          measurements: measurements(columns, frame: frame)))
    }
    return PoseFigure(
      title: sequence.name, subtitle: subtitle(sequence), recording: recording, moments: moments)
  }

  private static func measurements(
    _ columns: MeasurementColumns, frame: Int
  ) -> PoseFigure.Measurements {
    func value(_ measurement: Measurement) -> Double? {
      let value = columns[measurement][frame]
      return value.isNaN ? nil : Double(value)
    }
    return PoseFigure.Measurements(
      hipDeviation: value(.hipDeviation).map(Meters.init),
      elbowAngle: value(.elbowAngle).map(Degrees.init),
      shoulderRise: value(.shoulderRise).map(Meters.init))
  }

  /// The frame shown at a time: the last one that is not later.
  static func frame(at time: Double, of recording: Recording) throws -> Int {
    let shown = span(of: recording)
    guard shown.contains(time), let frame = recording.times.lastIndex(where: { $0 <= time })
    else {
      throw WorkflowFailure(
        .usage,
        "--at \(NumberText.shortest(time)): outside the recording; it has "
          + NumberText.fixed(shown.lowerBound, 2) + " to "
          + NumberText.fixed(shown.upperBound, 2) + " s")
    }
    return frame
  }

  private static func span(of recording: Recording) -> ClosedRange<Double> {
    let first = recording.times.first ?? 0
    return first...(recording.times.last ?? first) + recording.frameWeight.value
  }

  /// The middle of the longest segment of every kind of label, in order of time; of a segment that
  /// goes beyond the recording, only the part inside counts.
  static func typicalTimes(_ sequence: DatasetSequence) -> [Double] {
    let recording = sequence.recording
    let shown = span(of: recording)
    var longest: [String: (length: Double, middle: Double)] = [:]
    for segment in sequence.labels?.segments ?? [] {
      guard let plank = segment.plank else { continue }
      let key = plank.name + (segment.form?.name ?? "")
      let part = (segment.start.value...segment.end.value).clamped(to: shown)
      let length = part.upperBound - part.lowerBound
      if length > longest[key]?.length ?? 0 {
        longest[key] = (length, part.lowerBound + length / 2)
      }
    }
    let times = longest.values.map(\.middle).sorted()
    return times.isEmpty ? [recording.times[recording.frameCount / 2]] : times
  }

  private static func label(
    _ sequence: DatasetSequence, _ truth: FrameTruth, frame: Int
  ) -> (text: String, state: String) {
    guard let plank = PlankClass(code: truth.plank[frame]) else {
      let time = sequence.recording.times[frame]
      let isIgnored = sequence.labels?.segments.contains { segment in
        segment.plank == nil && segment.start.value <= time && time < segment.end.value
      }
      return (isIgnored == true ? "ignore" : "not labeled", "ignore")
    }
    guard plank != .none else { return ("no plank", plank.name) }
    guard let form = FormClass(code: truth.form[frame]) else {
      return ("\(plank.name), form not judged", plank.name)
    }
    return ("\(plank.name), \(form.name)", form.name)
  }

  private static func subtitle(_ sequence: DatasetSequence) -> String {
    let header = sequence.recording.header
    let parts = [
      sequence.subject.map { "subject \($0)" },
      header.cameraPosition.map { "\($0.rawValue) camera" },
      header.orientation?.rawValue, header.buffer.map { "\($0.rawValue) buffer" },
      sequence.tags["distance_m"].map { "\($0) m away" },
      sequence.tags["noise"].map { "noise: \($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
