import PlankDetection
import PoseModel

@testable import Tuning

/// Cells of the form stream whose accuracy is given: 1,000 frames per subject, all truly aligned.
struct SurfaceCase {
  static let frames = 1000

  let grid: StreamGrid
  let table: SubjectTable

  /// Makes cells.
  ///
  /// - Parameter right: the right frames of every subject, by parameter values; nil for a cell that
  ///   was not evaluated.
  init(
    _ axes: [ParameterAxis], subjects: Int, constraints: [AxisConstraint] = [],
    transitions: (ParameterValues) -> Int = { _ in 0 }, right: (ParameterValues) -> [Int]
  ) throws {
    let sequences = (0..<subjects).map { Self.sequence("s\($0)") }
    let data = try MeasuredData(variants: [sequences])
    let definition = try GridDefinition(
      [DetectorVariant(.gravity)], axes: axes,
      constraints: constraints)
    grid = try definition.grid(.form, data)
    let layout = StatisticsLayout(StreamFacts(.form, sequences), keepsDetermined: false)
    let ids = grid.accepted(in: 0..<grid.cellCount)
    var storage: [UInt32] = []
    for id in ids {
      let parameters = try grid.parameters(of: id)
      for count in right(parameters) {
        storage += [UInt32(count), UInt32(Self.frames - count), 0]
      }
      storage += Array(repeating: UInt32(transitions(parameters)), count: subjects)
    }
    table = try SubjectTable(CellTable(layout: layout, ids: ids, storage: storage))
  }

  static func sequence(_ name: String) -> MeasuredSequence {
    var segments: [LabeledSegment] = []
    segments.append(
      LabeledSegment(start: Seconds(0), end: Seconds(100), plank: .high, form: .aligned))
    let times = (0..<frames).map { Double($0) / 30 }
    let track = try? LabelTrack(segments)
    return MeasuredSequence(
      name: name, subject: name, times: times,
      truth: track?.truth(at: times) ?? FrameTruth(count: frames), startsMid: false,
      frameWeight: Seconds(1.0 / 30),
      columns: MeasurementColumns(frameCount: frames, columns: [:]))
  }

  func choose(_ goal: TuningGoal) throws -> Choice {
    try Chooser(grid, table, goal).choose(Array(table.subjects.indices))
  }
}
