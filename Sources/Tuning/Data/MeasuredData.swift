package import PlankDetection
package import PoseModel

package struct MeasuredData: Sendable {
  package let variants: [[MeasuredSequence]]

  package init(variants: [[MeasuredSequence]]) throws {
    precondition(
      variants.allSatisfy { $0.map(\.name) == variants[0].map(\.name) }, "the same sequences")
    guard let first = variants.first, !first.isEmpty else { throw TuningError.noSequences }
    var names: Set<String> = []
    for sequence in first where !names.insert(sequence.name).inserted {
      throw TuningError.repeatedSequence(sequence.name)
    }
    self.init(checked: variants)
  }

  private init(checked variants: [[MeasuredSequence]]) { self.variants = variants }

  package init(_ sequences: [TuningSequence], for grid: GridDefinition) throws {
    try self.init(
      variants: grid.detectors.flatMap { variant in
        let detector = try BatchDetector(variant.definition, parameters: variant.base)
        return grid.smoothings.map { smoothing in
          sequences.map { MeasuredSequence($0, smoothing, detector) }
        }
      })
  }

  package var sequences: [MeasuredSequence] { variants[0] }

  package func compared(by stream: AnswerStream) -> MeasuredData {
    guard sequences.contains(where: { $0.calibration != nil }) else { return self }
    return MeasuredData(checked: variants.map { $0.map { $0.compared(by: stream) } })
  }

  package func selecting(_ indices: [Int]) throws -> MeasuredData {
    try MeasuredData(variants: variants.map { variant in indices.map { variant[$0] } })
  }
}

extension MeasuredData {
  /// The data for a sweep, with short recordings joined into sequences.
  ///
  /// Recordings with the same person, source and `startsMid` are joined, so that each costs a word
  /// of the kernel instead of the numbers of a sequence. A recording without a subject stays alone,
  /// because it counts as a person.
  package var withShortOnesJoined: MeasuredData {
    let groups = shortOnes
    guard groups.count < sequences.count else { return self }
    return MeasuredData(
      checked: variants.map { sequences in
        groups.map { group in MeasuredSequence(joining: group.map { sequences[$0] }) }
      })
  }

  private static let mostFramesOfShort = 128
  /// In seconds; with longer frames, the total time would exceed the range of ticks.
  private static let longestFrame = 100.0
  /// Each recording may take one row of the kernel per class, and the sums of all rows should stay
  /// in the cache.
  private static let mostTogether = 64

  private struct Kind: Hashable {
    let subject: String
    let source: String?
    let startsMid: Bool
  }

  private var shortOnes: [[Int]] {
    var groups: [[Int]] = []
    var open: [Kind: Int] = [:]
    for (index, sequence) in sequences.enumerated() {
      guard let subject = sequence.subject, sequence.calibration == nil,
        sequence.recordings.count == 1, sequence.times.count <= Self.mostFramesOfShort,
        sequence.frameWeight.value <= Self.longestFrame
      else {
        groups.append([index])
        continue
      }
      let kind = Kind(subject: subject, source: sequence.source, startsMid: sequence.startsMid)
      if let last = open[kind], groups[last].count < Self.mostTogether {
        groups[last].append(index)
      } else {
        open[kind] = groups.count
        groups.append([index])
      }
    }
    return groups
  }
}

extension [MeasuredSequence] {
  package func classes(_ stream: AnswerStream) -> Set<UInt8> {
    var isSeen = [Bool](repeating: false, count: 256)
    for sequence in self {
      for code in sequence.truth.codes(stream) where FrameTruth.isScored(code) {
        isSeen[Int(code)] = true
      }
    }
    return Set(isSeen.indices.filter { isSeen[$0] }.map(UInt8.init))
  }
}

package struct MeasuredSequence: Sendable {
  package let name: String
  package private(set) var subject: String?
  package let source: String?
  package let times: [Double]
  package private(set) var truth: FrameTruth
  package let startsMid: Bool
  /// The weight of one frame; for joined recordings, the largest of their weights.
  package let frameWeight: Seconds
  package private(set) var columns: MeasurementColumns
  package private(set) var calibration: Calibration?
  let recordings: [Part]

  package struct Part: Hashable, Sendable {
    let frames: Range<Int>
    let frameWeight: Seconds
  }

  package init(
    name: String, subject: String?, source: String? = nil, times: [Double], truth: FrameTruth,
    startsMid: Bool, frameWeight: Seconds, columns: MeasurementColumns,
    calibration: Calibration? = nil, recordings: [Part]? = nil
  ) {
    precondition(
      truth.plank.count == times.count && columns.frameCount == times.count,
      "the columns of a sequence have one element per frame")
    precondition(frameWeight.value > 0, "a frame takes some time")
    self.name = name
    self.subject = subject
    self.source = source
    self.times = times
    self.truth = truth
    self.startsMid = startsMid
    self.frameWeight = frameWeight
    self.columns = columns
    self.calibration = calibration
    self.recordings = recordings ?? [Part(frames: times.indices, frameWeight: frameWeight)]
  }

  init(joining parts: [MeasuredSequence]) {
    let first = parts[0]
    guard parts.count > 1 else {
      self = first
      return
    }
    var (times, truth, columns) = (first.times, first.truth, first.columns)
    var recordings = first.recordings
    for part in parts.dropFirst() {
      recordings.append(
        Part(frames: times.count..<times.count + part.times.count, frameWeight: part.frameWeight))
      times += part.times
      truth.append(part.truth)
      columns.append(part.columns)
    }
    self.init(
      name: "\(first.name) and \(parts.count - 1) more", subject: first.subject,
      source: first.source, times: times, truth: truth, startsMid: first.startsMid,
      frameWeight: recordings.map(\.frameWeight).max() ?? first.frameWeight, columns: columns,
      recordings: recordings)
  }

  /// Tolerates the rounding errors of subtracted times.
  var hasOneWeight: Bool {
    recordings.allSatisfy { abs($0.frameWeight.value - frameWeight.value) <= 1e-12 }
  }

  package func compared(by stream: AnswerStream) -> MeasuredSequence {
    var sequence = with(columns.compared(by: stream, calibration))
    sequence.calibration = nil
    return sequence
  }

  package func calibrated(by calibration: Calibration?, _ truth: FrameTruth) -> MeasuredSequence {
    var sequence = self
    sequence.calibration = calibration
    sequence.truth = truth
    return sequence
  }

  package func with(_ columns: MeasurementColumns) -> MeasuredSequence {
    precondition(columns.frameCount == times.count, "one element of a column per frame")
    var sequence = self
    sequence.columns = columns
    return sequence
  }

  func with(subject: String?) -> MeasuredSequence {
    var sequence = self
    sequence.subject = subject
    return sequence
  }

  package init(_ sequence: TuningSequence, _ smoothing: SmoothingChoice, _ detector: BatchDetector)
  {
    self.init(sequence, columns: smoothing.measure(sequence.recording, detector))
  }

  package init(_ sequence: TuningSequence, columns: MeasurementColumns) {
    self.init(
      name: sequence.name, subject: sequence.subject, source: sequence.source,
      times: sequence.recording.times, truth: sequence.truth, startsMid: sequence.startsMid,
      frameWeight: sequence.recording.frameWeight, columns: columns)
  }
}

package struct TuningSequence: Sendable {
  package let name: String
  package let subject: String?
  package let source: String?
  package let recording: Recording
  package let truth: FrameTruth
  package let startsMid: Bool

  package init(
    name: String, subject: String?, source: String? = nil, recording: Recording,
    truth: FrameTruth, startsMid: Bool
  ) {
    precondition(truth.plank.count == recording.frameCount, "one truth code per frame")
    self.name = name
    self.subject = subject
    self.source = source
    self.recording = recording
    self.truth = truth
    self.startsMid = startsMid
  }
}
