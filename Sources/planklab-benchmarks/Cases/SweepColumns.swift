import Foundation
import ParameterTuning
import PlankDetection
import PoseModel

/// Writes a sweep's columns and what it counted, so that a script in another language can do the
/// same work on the same numbers.
///
/// `columns.f32` holds four columns of little-endian floats one after another (verticalRatio,
/// shoulderRise, wristHipCosine, elbowAngle), `truth.u8` a class code per frame, `lengths.csv` the
/// frames of every sequence, all at 30 Hz, and `cells.csv` a row per cell: the five parameters,
/// predicted transitions, and the confusion with truth in rows.
struct SweepColumns {
  static let measurements: [PlankDetection.Measurement] = [
    .verticalRatio, .shoulderRise, .wristHipCosine, .elbowAngle,
  ]
  static let keys: [ParameterKey] = [
    .horizontalRatio, .reverseCosine, .sideRise, .elbowSplit, .plankFrames,
  ]

  let benchmark: SweepBenchmark

  /// Writes the files of every `step`th cell; returns how long the sweep of all cells took.
  func write(to folder: String, step: Int) async throws -> (cells: Int, seconds: Double) {
    let directory = URL(fileURLWithPath: folder, isDirectory: true)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let sequences = benchmark.data.sequences
    var columns = Data()
    for measurement in Self.measurements {
      for sequence in sequences {
        sequence.columns[measurement].withUnsafeBytes { columns.append(contentsOf: $0) }
      }
    }
    try columns.write(to: directory.appendingPathComponent("columns.f32"))
    try Data(sequences.flatMap { $0.truth.codes(.plank) })
      .write(to: directory.appendingPathComponent("truth.u8"))
    let lengths = sequences.map { "\($0.times.count)\n" }.joined()
    try Data(("frames\n" + lengths).utf8).write(to: directory.appendingPathComponent("lengths.csv"))
    let clock = ContinuousClock()
    let start = clock.now
    let cells = try await StreamSweep(benchmark.grid, benchmark.data)
      .evaluate(0..<benchmark.grid.cellCount)
    let parts = (clock.now - start).components
    try Data(table(cells, step: step).utf8)
      .write(to: directory.appendingPathComponent("cells.csv"))
    return (
      cells: cells.ids.count,
      seconds: Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    )
  }

  private func table(_ cells: CellTable, step: Int) throws -> String {
    var text = Self.keys.map(\.rawValue).joined(separator: ",") + ",transitions"
    for truth in 0..<6 { for answer in 0..<6 { text += ",n\(truth)\(answer)" } }
    text += "\n"
    for (position, id) in cells.ids.enumerated() where position.isMultiple(of: step) {
      let values = try benchmark.grid.parameters(of: id)
      var transitions = 0
      var confusion = Array(repeating: 0, count: 36)
      for sequence in benchmark.data.sequences.indices {
        transitions += cells.transitions(at: position, sequence: sequence)
        for (index, count) in cells.confusion(at: position, sequence: sequence).enumerated() {
          confusion[index] += count
        }
      }
      text += Self.keys.map { "\(values[$0] ?? 0)" }.joined(separator: ",") + ",\(transitions),"
      text += confusion.map(String.init).joined(separator: ",") + "\n"
    }
    return text
  }
}
