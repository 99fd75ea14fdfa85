internal import Evaluation
package import PoseModel

package struct StreamFacts: Hashable, Sendable {
  package struct TruthRow: Hashable, Sendable {
    package let truth: UInt8
    package let frames: Int
  }

  package struct Onset: Hashable, Sendable {
    package let label: UInt8
    /// The event's frames, the first of which is the onset; with a label's onset they include
    /// unscored frames.
    package let frames: Range<Int>
    /// Whether the previous frame has a class, too; otherwise the event starts where scoring
    /// starts, and its true start is unknown.
    package let isObserved: Bool
    /// How long the event lasts: to the next frame, with at most 0.5 s if that is not scored; at
    /// the end of a sequence, a frame's weight beyond the last frame.
    package let duration: Seconds

    package init(label: UInt8, frames: Range<Int>, isObserved: Bool, duration: Seconds) {
      self.label = label
      self.frames = frames
      self.isObserved = isObserved
      self.duration = duration
    }
  }

  package struct SequenceFacts: Hashable, Sendable {
    package let name: String
    package let subject: String?
    package let source: String?
    package let frameWeight: Seconds
    package let evaluatedSeconds: Seconds
    package let trueTransitions: Int
    package let rows: [TruthRow]
    package let onsets: [Onset]
    package let times: [Double]

    package init(
      name: String, subject: String?, source: String? = nil, frameWeight: Seconds,
      evaluatedSeconds: Seconds, trueTransitions: Int, rows: [TruthRow], onsets: [Onset],
      times: [Double]
    ) {
      self.name = name
      self.subject = subject
      self.source = source
      self.frameWeight = frameWeight
      self.evaluatedSeconds = evaluatedSeconds
      self.trueTransitions = trueTransitions
      self.rows = rows
      self.onsets = onsets
      self.times = times
    }

    package func latency(frames: Int, of onset: Onset) -> Seconds {
      Seconds(times[onset.frames.lowerBound + frames] - times[onset.frames.lowerBound])
    }
  }

  package let stream: AnswerStream
  package let sequences: [SequenceFacts]

  package init(_ stream: AnswerStream, _ sequences: [MeasuredSequence]) {
    self.stream = stream
    self.sequences = sequences.map { Self.facts(stream, $0) }
  }

  package init(_ stream: AnswerStream, facts: [SequenceFacts]) {
    self.stream = stream
    sequences = facts
  }

  private static func facts(
    _ stream: AnswerStream, _ sequence: MeasuredSequence
  ) -> SequenceFacts {
    let truth = TruthCounts(
      sequence.truth, stream, times: sequence.times, frameWeight: sequence.frameWeight)
    let rows = truth.frames.enumerated().map { label, frames in
      TruthRow(truth: UInt8(label), frames: frames)
    }
    return SequenceFacts(
      name: sequence.name, subject: sequence.subject, source: sequence.source,
      frameWeight: sequence.frameWeight, evaluatedSeconds: truth.evaluatedSeconds,
      trueTransitions: truth.transitions, rows: rows.filter { $0.frames > 0 },
      onsets: onsets(of: sequence.truth.codesWithOnsets(stream), sequence), times: sequence.times)
  }

  private static func onsets(of truth: [UInt8], _ sequence: MeasuredSequence) -> [Onset] {
    var onsets: [Onset] = []
    var start = 0
    while start < truth.count {
      var end = start + 1
      while end < truth.count, truth[end] == truth[start] { end += 1 }
      if truth[start] != 0, FrameTruth.isScored(truth[start]) {
        onsets.append(
          Onset(
            label: truth[start], frames: start..<end,
            isObserved: start > 0 && FrameTruth.isScored(truth[start - 1]),
            duration: duration(of: start..<end, truth, sequence)))
      }
      start = end
    }
    return onsets
  }

  private static func duration(
    of frames: Range<Int>, _ truth: [UInt8], _ sequence: MeasuredSequence
  ) -> Seconds {
    let (last, next) = (frames.upperBound - 1, frames.upperBound)
    let times = sequence.times
    var end = times[last] + sequence.frameWeight.value
    if next < times.count {
      let isCut = !FrameTruth.isScored(truth[next])
      end = isCut ? min(times[next], times[last] + FrameTiming.longestGap) : times[next]
    }
    return Seconds(end - times[frames.lowerBound])
  }
}
