/// The labeled segments of one recording, sorted and without overlap; gaps are allowed.
public struct LabelTrack: Hashable, Sendable {
  /// The segments in time order.
  public let segments: [LabeledSegment]
  /// The true starts of classes between labels, in time order, as added by `adding(_:)`.
  public let onsets: [LabelOnset]

  /// Checks and stores segments.
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

  /// Returns the truth of each frame of a recording.
  ///
  /// Times are compared without tolerance: a frame at a segment's start belongs to the segment, and
  /// a frame at its end does not.
  ///
  /// - Parameter times: Times in seconds, strictly increasing.
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

/// A half-open time interval [start, end) with one label.
public struct LabeledSegment: Hashable, Sendable {
  /// The first instant of the segment.
  public var start: Seconds
  /// The first instant after the segment.
  public var end: Seconds
  /// The plank class, or nil for `ignore`, whose frames are not scored.
  public var plank: PlankClass?
  /// The form, or nil if it was not judged; always nil if `plank` is nil or `none`.
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
  /// The code of a frame whose plank is labeled but whose form is not.
  @usableFromInline package static let unjudged: UInt8 = 253

  package private(set) var plank: [UInt8]
  package private(set) var form: [UInt8]
  var onsets: [Onset] = []

  /// The labeled plank of a frame, or nil if the frame is not scored.
  public func plank(at frame: Int) -> PlankClass? { PlankClass(code: plank[frame]) }

  /// The labeled form of a frame, or nil if it was not judged or the frame is not scored.
  public func form(at frame: Int) -> FormClass? { FormClass(code: form[frame]) }

  /// Makes the truth of frames that no segment covers.
  public init(count: Int) {
    plank = Array(repeating: Self.unlabeled, count: count)
    form = plank
  }

  package func codes(_ stream: AnswerStream) -> [UInt8] { stream == .plank ? plank : form }

  package mutating func append(_ other: FrameTruth) {
    let start = plank.count
    plank += other.plank
    form += other.form
    onsets += other.onsets.map { $0.moved(by: start) }
  }

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
    /// The segment starts before the previous segment.
    case outOfOrder = "the segment starts before the one above it; sort the rows by start"
    /// The segment starts before the previous segment ends.
    case overlaps = "the segment overlaps the one above it; end that one earlier"
    /// A form label without a plank.
    case formWithoutPlank =
      "a form label needs a plank class; leave form empty where plank is none or ignore"
  }

  /// The segment's position in the track, from 0.
  public let segment: Int
  /// What is wrong with the segment.
  public let problem: Problem

  /// The problem and what to do about it.
  public var description: String { problem.rawValue }
}

/// The true start of a class, for labels that leave out the movement before it.
///
/// Labels often ignore the movement into a plank, because nobody can say which class its frames
/// show. A person who watched it, or the script of a synthetic session, may still know when the
/// class started. With an onset, scoring still ignores the movement, and latencies count from the
/// onset.
public struct LabelOnset: Hashable, Sendable {
  /// The first instant of the class.
  public var time: Seconds
  /// The plank class that starts; nil if only a form class starts.
  public var plank: PlankClass?
  /// The form class that starts; nil if only a plank class starts.
  public var form: FormClass?

  /// Makes an onset; `LabelTrack.adding(_:)` checks it.
  public init(time: Seconds, plank: PlankClass? = nil, form: FormClass? = nil) {
    self.time = time
    self.plank = plank
    self.form = form
  }

  package func code(_ stream: AnswerStream) -> UInt8? {
    stream == .plank ? plank?.code : form?.code
  }
}

/// An onset that does not fit its labels.
public struct LabelOnsetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with an onset.
  public enum Problem: String, Hashable, Sendable {
    /// The time is not a finite number.
    case notFinite = "the time is not a finite number; write seconds"
    /// The onset is not later than the previous onset.
    case outOfOrder = "the onset is not later than the one above it; sort the rows, one per time"
    /// No class starts.
    case empty = "no class begins; name a plank, a form or both, or remove the row"
    /// The time lies within a label of the stream.
    case labeled =
      "the time lies within a label; an onset belongs where frames are ignored, unlabeled or unjudged"
    /// No label of the stream comes before the onset, or none comes after it.
    case notBetweenLabels =
      "no label comes before it or none after it; an onset stands between two labels"
    /// The next label has another class.
    case otherClass = "the label that follows names another class; name that one"
    /// The previous label has the same class.
    case noChange = "the label before it names the same class, so nothing begins; remove the row"
    /// Another onset lies between the same two labels.
    case repeated = "there can be only one onset between two labels; remove one of them"
  }

  /// The onset's position in the list, from 0.
  public let onset: Int
  /// What is wrong with the onset.
  public let problem: Problem

  /// The problem and what to do about it.
  public var description: String { problem.rawValue }
}

extension LabelTrack {
  /// Returns the same labels with onsets added.
  ///
  /// In each stream, an onset lies between the end of one label and the start of the next. Its
  /// class is that of the next label and differs from that of the previous label. No other onset of
  /// the stream lies between the same two labels.
  ///
  /// - Throws: `LabelOnsetError` for the first onset that breaks a rule.
  /// - Complexity: O(segments + onsets).
  public func adding(_ onsets: [LabelOnset]) throws(LabelOnsetError) -> LabelTrack {
    for (index, onset) in onsets.enumerated() {
      if !onset.time.value.isFinite { throw LabelOnsetError(onset: index, problem: .notFinite) }
      if index > 0, onset.time <= onsets[index - 1].time {
        throw LabelOnsetError(onset: index, problem: .outOfOrder)
      }
      if onset.plank == nil, onset.form == nil {
        throw LabelOnsetError(onset: index, problem: .empty)
      }
    }
    let errors = AnswerStream.allCases.compactMap { firstError(in: onsets, $0) }
    if let first = errors.min(by: { $0.onset < $1.onset }) { throw first }
    return LabelTrack(self, onsets: onsets)
  }

  private func firstError(in onsets: [LabelOnset], _ stream: AnswerStream) -> LabelOnsetError? {
    let labels = segments.filter { $0.code(stream) != nil }
    var next = 0
    var last: Int?
    for (index, onset) in onsets.enumerated() {
      guard let code = onset.code(stream) else { continue }
      while next < labels.count, labels[next].start < onset.time { next += 1 }
      let problem: LabelOnsetError.Problem? =
        if next == 0 || next == labels.count, !(next > 0 && onset.time < labels[next - 1].end) {
          .notBetweenLabels
        } else if onset.time < labels[next - 1].end {
          .labeled
        } else if labels[next].code(stream) != code {
          .otherClass
        } else if labels[next - 1].code(stream) == code {
          .noChange
        } else {
          last == next ? .repeated : nil
        }
      if let problem { return LabelOnsetError(onset: index, problem: problem) }
      last = next
    }
    return nil
  }
}

extension LabeledSegment {
  fileprivate func code(_ stream: AnswerStream) -> UInt8? {
    stream == .plank ? plank?.code : form?.code
  }
}

extension FrameTruth {
  /// Returns a stream's codes with frames between labels filled in around each onset.
  ///
  /// Such frames have the previous class before the onset and the new class from the onset on.
  /// Latencies are judged by these codes, and frames by `codes(_:)`.
  package func codesWithOnsets(_ stream: AnswerStream) -> [UInt8] {
    var codes = codes(stream)
    for change in onsets where change.stream == stream {
      for frame in change.ignored {
        codes[frame] = frame < change.onset ? change.before : change.after
      }
    }
    return codes
  }

  struct Onset: Hashable, Sendable {
    let stream: AnswerStream
    let ignored: Range<Int>
    /// The first frame of the class that starts; at most the end of `ignored`.
    let onset: Int
    let before: UInt8
    let after: UInt8

    func moved(by frames: Int) -> Onset {
      Onset(
        stream: stream, ignored: ignored.lowerBound + frames..<ignored.upperBound + frames,
        onset: onset + frames, before: before, after: after)
    }
  }

  mutating func add(_ onset: LabelOnset, at times: [Double]) {
    for stream in AnswerStream.allCases {
      guard let after = onset.code(stream) else { continue }
      let codes = codes(stream)
      let first = times.partitioningIndex { $0 >= onset.time.value }
      var (start, end) = (first, first)
      while start > 0, !Self.isScored(codes[start - 1]) { start -= 1 }
      while end < codes.count, !Self.isScored(codes[end]) { end += 1 }
      guard start > 0, end < codes.count, codes[end] == after, codes[start - 1] != after else {
        continue
      }
      onsets.append(
        Onset(
          stream: stream, ignored: start..<end, onset: first, before: codes[start - 1],
          after: after))
    }
  }
}
