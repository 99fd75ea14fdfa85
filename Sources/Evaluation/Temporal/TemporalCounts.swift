package import PoseModel

/// The sufficient statistics of every temporal metric of a stream; sums over sequences.
///
/// Everything is counted within spans of consecutive scored frames, in which truth and answers
/// are cut alike. Counts of events and of sequences are not weighed: an event counts once at any
/// frame rate. Durations are seconds, a frame lasting at most 0.5 s.
package struct TemporalCounts: Hashable, Sendable {
  /// The classes but the empty answer.
  package let labels: [String]
  /// The events under each of the standard rules.
  package private(set) var events: [EventTally]
  /// Segments by overlap and order.
  package private(set) var segments = SegmentTally()
  /// All classes as one against the empty answer.
  package private(set) var any = ClassTemporalCounts()
  /// Each class against the rest, in the order of `labels`.
  package private(set) var classes: [ClassTemporalCounts]

  /// Nothing of a stream with some classes; the first one is the empty answer.
  init(streamLabels: [String]) {
    labels = Array(streamLabels.dropFirst())
    let count = labels.count
    events = EventRule.standard.map { EventTally($0, classCount: count) }
    classes = Array(repeating: ClassTemporalCounts(), count: count)
  }

  /// Nothing of a stream.
  package init(_ stream: AnswerStream) { self.init(streamLabels: stream.labels) }

  /// Counts one stream of a sequence.
  ///
  /// - Complexity: O(frames) a class, plus the matching of events.
  init(_ stream: ScoredStream, streamLabels: [String]) {
    self.init(streamLabels: streamLabels)
    let spans = stream.spans
    for span in spans {
      for index in events.indices { events[index].add(span) }
    }
    segments = SegmentTally(spans)
    any = ClassTemporalCounts(spans, stream) { $0 > 0 }
    classes = labels.indices.map { index in
      ClassTemporalCounts(spans, stream) { Int($0) == index + 1 }
    }
  }

  /// Adds the counts of other sequences.
  package static func += (left: inout TemporalCounts, right: TemporalCounts) {
    precondition(left.labels == right.labels, "streams are not pooled with each other")
    for index in left.events.indices { left.events[index] += right.events[index] }
    left.segments += right.segments
    left.any += right.any
    for index in left.classes.indices { left.classes[index] += right.classes[index] }
  }
}
