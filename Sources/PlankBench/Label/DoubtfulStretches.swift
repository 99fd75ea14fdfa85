internal import PlankDetection
internal import PoseModel

struct DoubtfulStretch: Hashable, Sendable, Encodable {
  let frames: Range<Int>
  /// How often the answer changes before debouncing, plank and form together.
  let changes: Int
  /// The smallest distance of a measurement from the threshold nearest to turning over, as a share
  /// of the parameter's range; nil if none was measured.
  let distance: Double?

  /// A list: first frame, frame after the last, changes, distance.
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(frames.lowerBound)
    try list.encode(frames.upperBound)
    try list.encode(changes)
    try list.encode(OrNull(distance))
  }
}

/// A frame is unsure if the answer before debouncing changes there, or if a measurement is nearer
/// than `nearness` to a threshold that decides.
///
/// Unsure frames at most `pause` apart are one stretch. The form counts only where the plank is not
/// answered `none`, as nobody judges it there.
enum DoubtfulStretches {
  /// As a share of the parameter's range.
  static let nearness = 0.02
  static let pause = 0.5
  static let most = 100

  /// Least sure first: most changes, then the nearest threshold, then time; O(frames x
  /// comparisons).
  static func find(
    _ recording: Recording, _ detector: BatchDetector, measured: MeasurementColumns? = nil
  ) -> [DoubtfulStretch] {
    guard recording.layout.dimension == 3 else { return [] }
    let columns =
      measured
      ?? MeasurementColumns(recording, detector.measurements, reading: detector.definition.axes)
    let frames = doubts(columns, times: recording.times, detector)
    let found = stretches(frames, times: recording.times)
    return Array(
      found.sorted { left, right in
        if left.changes != right.changes { return left.changes > right.changes }
        let distances = (left.distance ?? .infinity, right.distance ?? .infinity)
        return distances.0 == distances.1
          ? left.frames.lowerBound < right.frames.lowerBound : distances.0 < distances.1
      }.prefix(most))
  }

  private struct Doubt {
    var changes = 0
    var distance = Double.infinity

    var isUnsure: Bool { changes > 0 || distance < nearness }
  }

  private static func doubts(
    _ columns: MeasurementColumns, times: [Double], _ detector: BatchDetector
  ) -> [Doubt] {
    let answers = detector.detect(columns, times: times, startsMid: false)
    var doubts = [Doubt](repeating: Doubt(), count: times.count)
    for stream in AnswerStream.allCases {
      let raw = answers[stream].raw
      func counts(_ frame: Int) -> Bool {
        answers[stream].isDetermined(at: frame)
          && (stream == .plank || ![0, Debouncer.undetermined].contains(answers.plank.raw[frame]))
      }
      for frame in times.indices.dropFirst()
      where counts(frame) && counts(frame - 1) && raw[frame] != raw[frame - 1] {
        doubts[frame].changes += 1
      }
      let distances = (try? detector.nearestDistances(stream, columns, times: times)) ?? []
      for (frame, distance) in distances.enumerated() where counts(frame) {
        doubts[frame].distance = min(doubts[frame].distance, distance ?? .infinity)
      }
    }
    return doubts
  }

  private static func stretches(_ doubts: [Doubt], times: [Double]) -> [DoubtfulStretch] {
    var ranges: [Range<Int>] = []
    for frame in doubts.indices where doubts[frame].isUnsure {
      if let last = ranges.last, times[frame] - times[last.upperBound - 1] <= pause {
        ranges[ranges.count - 1] = last.lowerBound..<(frame + 1)
      } else {
        ranges.append(frame..<(frame + 1))
      }
    }
    return ranges.map { range in
      let distance = doubts[range].map(\.distance).min() ?? .infinity
      return DoubtfulStretch(
        frames: range, changes: doubts[range].reduce(0) { $0 + $1.changes },
        distance: distance.isFinite ? distance : nil)
    }
  }
}
