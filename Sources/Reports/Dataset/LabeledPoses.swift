internal import PlankDetection
package import PoseDatasets
internal import PoseModel

extension PoseFigure {
  package init(of sequence: DatasetSequence, frames: [Int]) {
    let recording = sequence.recording
    let columns = MeasurementColumns(recording, .all, reading: .gravity)
    let truth = sequence.truth()
    let moments = frames.map { frame in
      let (label, state) = Self.label(sequence, truth, frame: frame)
      return Moment(
        frame: frame, label: label, state: state,
        measurements: Self.measurements(columns, frame: frame))
    }
    self.init(
      title: sequence.name, subtitle: Self.subtitle(sequence), recording: recording,
      moments: moments)
  }

  private static func measurements(_ columns: MeasurementColumns, frame: Int) -> Measurements {
    func value(_ measurement: Measurement) -> Double? {
      let value = columns[measurement][frame]
      return value.isNaN ? nil : Double(value)
    }
    return Measurements(
      hipDeviation: value(.hipDeviation).map(Meters.init),
      elbowAngle: value(.elbowAngle).map(Degrees.init),
      shoulderRise: value(.shoulderRise).map(Meters.init))
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
