import ArgumentParser
import Foundation
import PlankDetection
import PoseModel

/// Interleaved rounds of every smoothing filter and of the same filter by scipy or numba.
///
/// The files for the peers: `joints.f64` holds the numbers of all frames in which every joint of
/// Vision's 3D skeleton was found, one frame after another, and `pieces.csv` how many frames each
/// recording has. The frames are taken as 1/30 s apart, because scipy knows no times.
struct FilterPeers {
  struct Row {
    let strategy: String
    let package: String
    fileprivate(set) var ours: [Double] = []
    fileprivate(set) var theirs: [Double] = []
    fileprivate(set) var difference = 0.0
  }

  static let tolerance = 1e-9

  private static let rate = 30.0
  private let joints = Skeleton.vision3d.joints
  private let folder: String
  private var pieces: [Recording] = []

  init(_ recordings: [Recording], _ folder: String) throws {
    self.folder = folder
    var numbers = Data()
    for recording in recordings {
      let piece = even(recording)
      guard piece.frameCount > 0 else { continue }
      pieces.append(piece)
      rows(piece.smoothedJoints(by: .none)) { row in
        row.withUnsafeBytes { numbers.append(contentsOf: $0) }
      }
    }
    try numbers.write(to: URL(fileURLWithPath: folder + "/joints.f64"))
    let lengths = pieces.map { "\($0.frameCount)\n" }.joined()
    try Data(lengths.utf8).write(to: URL(fileURLWithPath: folder + "/pieces.csv"))
  }

  var frames: Int { pieces.reduce(0) { $0 + $1.frameCount } }

  var recordings: Int { pieces.count }

  private func even(_ recording: Recording) -> Recording {
    var piece = Recording(
      header: RecordingHeader(skeleton: .vision3d, joints: joints, frame: .camera))
    rows(recording.smoothedJoints(by: .none)) { row in
      guard row.allSatisfy(\.isFinite) else { return }
      piece.append(
        time: Seconds(Double(piece.frameCount) / Self.rate), pose: row.map { Float($0) },
        extras: FrameExtras())
    }
    return piece
  }

  private func rows(_ numbers: [Double], _ body: ([Double]) -> Void) {
    let width = JointLayout.full.stride
    for start in stride(from: 0, to: numbers.count, by: width) {
      body(joints.flatMap { numbers[(start + 3 * $0.index)...].prefix(3) })
    }
  }

  /// - Parameter script: the command of the peers, which print a line for each filter.
  /// - Returns: a row per filter, and nanoseconds per number of reading joints without a filter.
  func run(_ script: [String], rounds: Int) throws -> (rows: [Row], reading: Double) {
    var rows: [Row] = []
    var reading: [Double] = []
    for round in 0..<rounds {
      let lines = try peers(script + (round == 0 ? ["--write"] : []))
      if round == 0 { rows = lines.map { Row(strategy: $0.strategy, package: $0.package) } }
      reading.append(time(.none) { _, _ in })
      for index in rows.indices {
        rows[index].theirs.append(lines[index].nanoseconds)
        let strategy = try SmoothingStrategy(text: rows[index].strategy)
        let expected = round == 0 ? try results(of: index) : []
        var difference = 0.0
        let time = time(strategy) { start, numbers in
          guard !expected.isEmpty else { return }
          difference = max(difference, largestDifference(numbers, expected, from: start))
        }
        rows[index].ours.append(time)
        if round == 0 { rows[index].difference = difference }
      }
    }
    return (rows: rows, reading: median(reading))
  }

  private func peers(
    _ command: [String]
  ) throws -> [(strategy: String, package: String, nanoseconds: Double)] {
    let (output, errors) = (folder + "/output.txt", folder + "/errors.txt")
    let child = try Child(command, output: output, errors: errors)
    let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    let found = lines.compactMap { line -> (String, String, Double)? in
      let words = line.split(separator: "\t").map(String.init)
      guard words.count == 3, let time = Double(words[2]) else { return nil }
      return (words[0], words[1], time)
    }
    guard child.status == 0, found.count == lines.count, !found.isEmpty else {
      let message = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
      throw ValidationError("the filters of the peers failed: \(message.debugDescription)")
    }
    return found.map { (strategy: $0.0, package: $0.1, nanoseconds: $0.2) }
  }

  private func time(_ strategy: SmoothingStrategy, _ body: (Int, [Double]) -> Void) -> Double {
    var (total, frames) = (0.0, 0)
    for piece in pieces {
      let start = ProcessTime.seconds
      let numbers = piece.smoothedJoints(by: strategy)
      total += ProcessTime.seconds - start
      body(frames, numbers)
      frames += piece.frameCount
    }
    return total * 1e9 / Double(frames * joints.count * 3)
  }

  private func results(of index: Int) throws -> [Double] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(index).f64"))
    guard data.count == frames * joints.count * 3 * MemoryLayout<Double>.size else {
      throw ValidationError("\(index).f64 has another size than the joints")
    }
    return data.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
  }

  private func largestDifference(
    _ numbers: [Double], _ expected: [Double], from frame: Int
  ) -> Double {
    var (largest, place) = (0.0, frame * joints.count * 3)
    rows(numbers) { row in
      for value in row {
        let difference = abs(value - expected[place])
        if !(difference <= largest) { largest = difference.isNaN ? .infinity : difference }
        place += 1
      }
    }
    return largest
  }
}
