package import PoseModel

/// The counts of one stream pooled over sequences, in frames and in seconds.
///
/// Pools add up: a subject's pool is the sum over the subject's sequences, and a resample of
/// subjects is the sum of their pools, repeats included. Metrics come from the pool, never from a
/// mean of metrics (Forman and Scholz 2010, SIGKDD Explorations 12(1)). In seconds, each sequence's
/// counts are weighted by its median frame interval, so that 60 Hz does not outvote 8 Hz.
package struct PooledCounts: Hashable, Sendable {
  package let stream: AnswerStream
  package private(set) var frames: ConfusionMatrix<Int>
  package private(set) var seconds: ConfusionMatrix<Double>
  package private(set) var determinedFrames: ConfusionMatrix<Int>
  package private(set) var determinedSeconds: ConfusionMatrix<Double>
  package private(set) var stability = StabilityCounts()
  package private(set) var dwells = DwellCounts()
  package private(set) var temporal: TemporalCounts
  package private(set) var frameCounts = FrameCounts()

  package init(_ stream: AnswerStream) {
    self.stream = stream
    frames = ConfusionMatrix(labels: stream.labels)
    determinedFrames = frames
    seconds = ConfusionMatrix(labels: stream.labels)
    determinedSeconds = seconds
    temporal = TemporalCounts(stream)
  }

  package init(_ sequences: some Sequence<SequenceScores>, _ stream: AnswerStream) {
    self.init(stream)
    for sequence in sequences { add(sequence[stream], frameWeight: sequence.frameWeight) }
  }

  package init(formEndToEnd sequences: some Sequence<SequenceScores>) {
    self.init(.form)
    for sequence in sequences {
      add(sequence.formEndToEnd, frameWeight: sequence.frameWeight)
    }
  }

  package mutating func add(_ counts: StreamCounts, frameWeight: Seconds) {
    frames += counts.confusion
    determinedFrames += counts.determined
    seconds += counts.confusion.weighted(by: frameWeight.value)
    determinedSeconds += counts.determined.weighted(by: frameWeight.value)
    stability += counts.stability
    dwells += counts.dwells
    temporal += counts.temporal
    frameCounts += counts.frames
  }

  package static func += (left: inout PooledCounts, right: PooledCounts) {
    left.frames += right.frames
    left.determinedFrames += right.determinedFrames
    left.seconds += right.seconds
    left.determinedSeconds += right.determinedSeconds
    left.stability += right.stability
    left.dwells += right.dwells
    left.temporal += right.temporal
    left.frameCounts += right.frameCounts
  }
}
