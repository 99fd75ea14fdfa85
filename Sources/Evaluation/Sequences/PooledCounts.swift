package import PoseModel

/// The counts of one stream pooled over sequences, in frames and in seconds.
///
/// Pools add up: a subject's pool is the sum over the subject's sequences, and a resample of
/// subjects is the sum of their pools, repeats included. Metrics come from the pool, never from a
/// mean of metrics (Forman and Scholz 2010, SIGKDD Explorations 12(1)). In seconds, each sequence's
/// counts are weighted by its median frame interval, so that 60 Hz does not outvote 8 Hz.
package struct PooledCounts: Hashable, Sendable {
  /// The stream.
  package let stream: AnswerStream
  /// All scored frames.
  package private(set) var frames: ConfusionMatrix<Int>
  /// All scored frames, in seconds.
  package private(set) var seconds: ConfusionMatrix<Double>
  /// The determined frames among the scored ones.
  package private(set) var determinedFrames: ConfusionMatrix<Int>
  /// The determined frames among the scored ones, in seconds.
  package private(set) var determinedSeconds: ConfusionMatrix<Double>
  /// The input of the stability metrics.
  package private(set) var stability = StabilityCounts()
  /// How long runs of each class last.
  package private(set) var dwells = DwellCounts()
  /// The input of the temporal metrics.
  package private(set) var temporal: TemporalCounts
  /// The number of frames of each kind.
  package private(set) var frameCounts = FrameCounts()

  /// An empty pool of a stream.
  package init(_ stream: AnswerStream) {
    self.stream = stream
    frames = ConfusionMatrix(labels: stream.labels)
    determinedFrames = frames
    seconds = ConfusionMatrix(labels: stream.labels)
    determinedSeconds = seconds
    temporal = TemporalCounts(stream)
  }

  /// The pool of one stream of some sequences; a sequence may occur more than once.
  package init(_ sequences: some Sequence<SequenceScores>, _ stream: AnswerStream) {
    self.init(stream)
    for sequence in sequences { add(sequence[stream], frameWeight: sequence.frameWeight) }
  }

  /// The pool of the form stream on frames with the right plank answer.
  package init(formEndToEnd sequences: some Sequence<SequenceScores>) {
    self.init(.form)
    for sequence in sequences {
      add(sequence.formEndToEnd, frameWeight: sequence.frameWeight)
    }
  }

  /// Adds the counts of a sequence.
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

  /// Adds another pool of the same stream.
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
