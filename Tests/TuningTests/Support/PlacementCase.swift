import Evaluation
import PlankDetection
import PoseModel
import TestSupport

@testable import Tuning

/// Two people whose hips hang, lie and stand at given heights, in meters, in a recording each.
struct PlacementCase {
  let data: MeasuredData

  /// Makes the recordings.
  ///
  /// - Parameter stray: where every third frame lies that is truly aligned; nil for with the others.
  init(sag: Float, aligned: Float, pike: Float, stray: Float? = nil) throws {
    let heights = [(FormClass.sag, sag), (.aligned, aligned), (.pike, pike)]
    let sequences = try ["a", "b"].flatMap { person in
      try heights.map { form, height in
        try Self.sequence(
          "\(person) \(form)", subject: person, rate: 30,
          (0..<30).map { frame in
            (form, form == .aligned && frame % 3 == 0 ? stray ?? height : height)
          })
      }
    }
    data = try MeasuredData(variants: [sequences])
  }

  /// A recording of frames with a true form and a height of the hips.
  static func sequence(
    _ name: String, subject: String, source: String? = nil, rate: Double,
    _ frames: [(form: FormClass, height: Float)]
  ) throws -> MeasuredSequence {
    try sequence(
      name, subject: subject, source: source, rate: rate, frames.map { (.high, $0.form) },
      [.hipDeviation: frames.map(\.height)])
  }

  /// A recording of frames with a true plank and measurements.
  static func sequence(
    _ name: String, _ frames: [(PlankClass, [Measurement: Float])]
  ) throws -> MeasuredSequence {
    var columns: [Measurement: [Float]] = [:]
    for measurement in Set(frames.flatMap(\.1.keys)) {
      columns[measurement] = frames.map { $0.1[measurement] ?? .nan }
    }
    return try sequence(
      name, subject: name, source: nil, rate: 30, frames.map { ($0.0, nil) }, columns)
  }

  private static func sequence(
    _ name: String, subject: String, source: String?, rate: Double,
    _ labels: [(plank: PlankClass, form: FormClass?)], _ columns: [Measurement: [Float]]
  ) throws -> MeasuredSequence {
    let times = labels.indices.map { Double($0) / rate }
    let segments = labels.enumerated().map { frame, label in
      LabeledSegment(
        start: Seconds(times[frame]), end: Seconds(Double(frame + 1) / rate), plank: label.plank,
        form: label.form)
    }
    return MeasuredSequence(
      name: name, subject: subject, source: source, times: times,
      truth: try LabelTrack(segments).truth(at: times), startsMid: true,
      frameWeight: Seconds(1 / rate),
      columns: MeasurementColumns(frameCount: labels.count, columns: columns))
  }

  /// Where the thresholds of a grid with one variant stand for some or all subjects.
  static func placements(
    _ definition: GridDefinition, _ stream: AnswerStream, _ data: MeasuredData,
    drawn: [Int]? = nil
  ) throws -> [ThresholdPlacement] {
    let grid = try definition.grid(stream, data)
    let layout = StatisticsLayout(StreamFacts(stream, data.sequences), keepsDetermined: false)
    let table = try SubjectTable(
      CellTable(layout: layout, ids: [0], storage: Array(repeating: 0, count: layout.stride)))
    return ClassMedians(grid, table, data).placements(0, drawn ?? Array(table.subjects.indices))
  }

  /// Sag and pike in steps of a centimeter, the published rules.
  static func definition(_ axes: [ParameterAxis]? = nil) throws -> GridDefinition {
    try GridDefinition(
      [DetectorVariant(.gravity)],
      axes: axes ?? [
        ParameterAxis(.sag, .range(from: 0, to: 0.12, step: 0.01)),
        ParameterAxis(.pike, .range(from: 0, to: 0.25, step: 0.01)),
        ParameterAxis(.formFrames, .list([1, 2, 3])),
      ])
  }

  /// What tuning the balanced accuracy of form gives, without refinement and validation.
  static func tune(
    _ data: MeasuredData, _ definition: GridDefinition? = nil, engine: SweepEngine = .automatic
  ) async throws -> TuningReport {
    try await StreamTuner(
      definition ?? Self.definition(), data,
      TuningGoal(MetricKey(tunable: "form.balanced_accuracy")),
      TuningOptions(validation: nil, resamples: 0, refines: false, engine: engine)
    ).tune()
  }
}
