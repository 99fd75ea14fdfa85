internal import ParameterTuning
package import PoseModel

/// The numbers of a cell that are one person's.
package struct SubjectNumbers: Hashable, Sendable {
  /// A true event.
  package struct Event: Hashable, Sendable {
    /// The class.
    package let label: String
    /// Frames from the onset to the first answer of the class; nil where there was none.
    package let latencyFrames: Int?
    /// The same in seconds.
    package let latency: Seconds?
  }

  /// The subject; a sequence without one stands for itself.
  package let subject: String
  /// Scored frames, a row a true class, a column an answer.
  package let confusion: [[Int]]
  /// The same in seconds.
  package let confusionSeconds: [[Double]]
  /// The same over determined frames; nil where the run does not keep them.
  package let determined: [[Int]]?
  /// Changes of the answer between consecutive scored frames.
  package let transitions: Int
  /// Changes of the truth between consecutive scored frames.
  package let trueTransitions: Int
  /// The duration of all scored frames.
  package let evaluated: Seconds
  /// The true events, sequence after sequence by name, in time order.
  package let events: [Event]

  /// Sums up some sequences of the cell at a position.
  init(subject: String, _ sequences: [Int], _ cells: CellTable, at position: Int) {
    let layout = cells.layout
    let facts = sequences.map { layout.facts.sequences[$0] }
    let confusions = sequences.map { cells.confusion(at: position, sequence: $0) }
    self.subject = subject
    confusion = Self.sum(confusions, layout.labelCount)
    confusionSeconds = Self.sum(
      zip(confusions, facts).map { frames, facts in
        frames.map { Double($0) * facts.frameWeight.value }
      }, layout.labelCount)
    determined =
      !layout.keepsDetermined
      ? nil
      : Self.sum(
        sequences.map { cells.confusion(at: position, sequence: $0, determined: true) },
        layout.labelCount)
    transitions = sequences.reduce(0) { $0 + cells.transitions(at: position, sequence: $1) }
    trueTransitions = facts.reduce(0) { $0 + $1.trueTransitions }
    evaluated = Seconds(facts.reduce(0) { $0 + $1.evaluatedSeconds.value })
    events = zip(sequences, facts).flatMap { index, facts in
      facts.onsets.enumerated().map { number, onset in
        let frames = cells.latency(at: position, sequence: index, onset: number)
        return Event(
          label: layout.facts.stream.labels[Int(onset.label)], latencyFrames: frames,
          latency: frames.map { facts.latency(frames: $0, of: onset) })
      }
    }
  }

  private static func sum<Number: AdditiveArithmetic>(
    _ matrices: [[Number]], _ labels: Int
  ) -> [[Number]] {
    (0..<labels).map { truth in
      (0..<labels).map { answer in
        matrices.reduce(.zero) { $0 + $1[truth * labels + answer] }
      }
    }
  }
}
