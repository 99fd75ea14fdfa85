/// The labeled segments of one recording: sorted, without overlap; gaps are legal.
public struct LabelTrack: Hashable, Sendable {
  /// The segments in time order.
  public let segments: [LabeledSegment]
  /// When classes truly started between labels, in time order; see `adding(_:)`.
  public let onsets: [LabelOnset]

  /// Checks segments and keeps them.
  ///
  /// - Throws: `LabelTrackError` for the first segment that breaks a rule.
  public init(_ segments: [LabeledSegment]) throws(LabelTrackError) {
    for (index, segment) in segments.enumerated() {
      if let problem = Self.problem(of: segment, after: index > 0 ? segments[index - 1] : nil) {
        throw LabelTrackError(segment: index, problem: problem)
      }
    }
    self.segments = segments
    onsets = []
  }

  /// A track without labels.
  public init() {
    segments = []
    onsets = []
  }

  init(_ track: LabelTrack, onsets: [LabelOnset]) {
    segments = track.segments
    self.onsets = onsets
  }

  /// The truth of every frame of a recording.
  ///
  /// Times are compared without tolerance: a frame at a segment's start belongs to it, a frame at
  /// its end does not.
  ///
  /// - Parameter times: strictly increasing seconds.
  /// - Complexity: O(frames + segments + onsets log frames).
  public func truth(at times: [Double]) -> FrameTruth {
    var truth = FrameTruth(count: times.count)
    var next = 0
    for (frame, time) in times.enumerated() {
      while next < segments.count, segments[next].end.value <= time { next += 1 }
      guard next < segments.count, segments[next].start.value <= time else { continue }
      truth.set(segments[next], at: frame)
    }
    for onset in onsets { truth.add(onset, at: times) }
    return truth
  }

  private static func problem(
    of segment: LabeledSegment, after previous: LabeledSegment?
  ) -> LabelTrackError.Problem? {
    guard segment.start.value.isFinite, segment.end.value.isFinite else { return .notFinite }
    guard segment.start < segment.end else { return .endsBeforeItStarts }
    if let previous {
      if segment.start < previous.start { return .outOfOrder }
      if segment.start < previous.end { return .overlaps }
    }
    let hasPlank = segment.plank != nil && segment.plank != PlankClass.none
    return segment.form != nil && !hasPlank ? .formWithoutPlank : nil
  }
}

/// A half-open stretch of time [start, end) with one label.
public struct LabeledSegment: Hashable, Sendable {
  /// The first instant of the segment.
  public var start: Seconds
  /// The first instant after it.
  public var end: Seconds
  /// The class, or nil for `ignore`: such frames are not scored.
  public var plank: PlankClass?
  /// The form, or nil if it was not judged; always nil if `plank` is nil or none.
  public var form: FormClass?

  /// Makes a segment; `LabelTrack` checks it.
  public init(start: Seconds, end: Seconds, plank: PlankClass?, form: FormClass? = nil) {
    self.start = start
    self.end = end
    self.plank = plank
    self.form = form
  }
}

/// The truth of every frame of a recording.
public struct FrameTruth: Hashable, Sendable {
  /// The code of a frame that is not scored because no segment covers it.
  package static let unlabeled: UInt8 = 255
  /// The code of a frame that is not scored because its segment says `ignore`.
  package static let ignored: UInt8 = 254
  /// The code of a frame whose plank is labeled and whose form is not.
  @usableFromInline package static let unjudged: UInt8 = 253

  /// One number per frame: a plank class code, `ignored` or `unlabeled`.
  package private(set) var plank: [UInt8]
  /// One number per frame: a form class code, `unjudged`, `ignored` or `unlabeled`.
  package private(set) var form: [UInt8]
  var onsets: [Onset] = []

  /// The labeled plank of a frame, or nil if the frame is not scored.
  public func plank(at frame: Int) -> PlankClass? { PlankClass(code: plank[frame]) }

  /// The labeled form of a frame, or nil if it was not judged or the frame is not scored.
  public func form(at frame: Int) -> FormClass? { FormClass(code: form[frame]) }

  /// Makes the truth of frames without any segment.
  public init(count: Int) {
    plank = Array(repeating: Self.unlabeled, count: count)
    form = plank
  }

  package func codes(_ stream: AnswerStream) -> [UInt8] {
    stream == .plank ? plank : form
  }

  /// Leaves labeled frames of a stream unscored, as if their segment said `ignore`.
  package mutating func ignore(_ frames: Range<Int>, in stream: AnswerStream) {
    for frame in frames {
      if stream == .plank, Self.isScored(plank[frame]) { plank[frame] = Self.ignored }
      if stream == .form, Self.isScored(form[frame]) { form[frame] = Self.ignored }
    }
  }

  @inlinable package static func isScored(_ code: UInt8) -> Bool { code < unjudged }

  mutating func set(_ segment: LabeledSegment, at frame: Int) {
    plank[frame] = segment.plank?.code ?? Self.ignored
    form[frame] = segment.form?.code ?? (segment.plank == nil ? Self.ignored : Self.unjudged)
  }
}

/// A segment that breaks a rule of label tracks.
public struct LabelTrackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with a segment.
  public enum Problem: String, Hashable, Sendable {
    /// A time is not a finite number.
    case notFinite = "a time is not a finite number; write seconds"
    /// The end is not after the start.
    case endsBeforeItStarts = "the segment does not end after it starts; swap or correct the times"
    /// The segment starts before the one above it.
    case outOfOrder = "the segment starts before the one above it; sort the rows by start"
    /// The segment starts before the one above it has ended.
    case overlaps = "the segment overlaps the one above it; end that one earlier"
    /// A form label without a plank.
    case formWithoutPlank =
      "a form label needs a plank class; leave form empty where plank is none or ignore"
  }

  /// The segment's position in the track, from 0.
  public let segment: Int
  /// What is wrong with it.
  public let problem: Problem

  /// The problem and its remedy.
  public var description: String { problem.rawValue }
}
