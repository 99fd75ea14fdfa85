internal import PlankDetection
internal import PoseModel

/// Counts the answers of one cell, sequence by sequence.
struct AnswerCounter {
  private(set) var numbers: [UInt32]
  private let layout: StatisticsLayout

  /// Makes a counter of nothing.
  init(_ layout: StatisticsLayout) {
    self.layout = layout
    numbers = Array(repeating: 0, count: layout.stride)
  }

  /// Counts a sequence.
  ///
  /// - Complexity: O(frames).
  mutating func count(_ truth: [UInt8], raw: [UInt8], answers: [UInt8], of sequence: Int) {
    var rowStarts = Array(repeating: (all: 0, determined: Int?.none), count: 256)
    for (row, value) in layout.facts.sequences[sequence].rows.enumerated() {
      rowStarts[Int(value.truth)] = layout.row(row, of: sequence)
    }
    var transitions: UInt32 = 0
    var wasScored = false
    for frame in truth.indices {
      let isScored = FrameTruth.isScored(truth[frame])
      if isScored {
        let place = rowStarts[Int(truth[frame])]
        numbers[place.all + Int(answers[frame])] += 1
        if let determined = place.determined, raw[frame] != Debouncer.undetermined {
          numbers[determined + Int(answers[frame])] += 1
        }
        if wasScored, answers[frame] != answers[frame - 1] { transitions += 1 }
      }
      wasScored = isScored
    }
    numbers[layout.transitions(of: sequence)] = transitions
    for (index, onset) in layout.facts.sequences[sequence].onsets.enumerated() {
      let first = onset.frames.first { answers[$0] == onset.label }
      numbers[layout.latency(index, of: sequence)] =
        first.map { UInt32($0 - onset.frames.lowerBound) } ?? StatisticsLayout.never
    }
  }
}
