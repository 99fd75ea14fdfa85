/// When a class truly started, if the labels leave out the movement that led to it.
///
/// Labels often ignore the movement into a plank, because nobody can say which class its frames
/// show. Someone who watched it, or wrote its script, may still know when the class started. An
/// onset says so: scoring still ignores the movement, and latencies count from the onset.
public struct LabelOnset: Hashable, Sendable {
  /// The first instant of the class.
  public var time: Seconds
  /// The plank that starts, or nil if only a form does.
  public var plank: PlankClass?
  /// The form that starts, or nil if only a plank does.
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
    /// The onset is not later than the one above it.
    case outOfOrder = "the onset is not later than the one above it; sort the rows, one per time"
    /// No class starts.
    case empty = "no class begins; name a plank, a form or both, or remove the row"
    /// The time lies within a label of the stream.
    case labeled =
      "the time lies within a label; an onset belongs where frames are ignored, unlabeled or unjudged"
    /// No label of the stream comes before or after.
    case notBetweenLabels =
      "no label comes before it or none after it; an onset stands between two labels"
    /// The next label has another class.
    case otherClass = "the label that follows names another class; name that one"
    /// The previous label has the same class.
    case noChange = "the label before it names the same class, so nothing begins; remove the row"
    /// The stretch already has an onset.
    case repeated = "between two labels there can be one onset; remove one of them"
  }

  /// The onset's position in the list, from 0.
  public let onset: Int
  /// What is wrong with it.
  public let problem: Problem

  /// The problem and its remedy.
  public var description: String { problem.rawValue }
}

extension LabelTrack {
  /// The same labels with onsets.
  ///
  /// In each stream, an onset lies between the end of one label and the start of the next. Its
  /// class is that of the next label and not that of the previous one, and it is the only onset
  /// there.
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
  /// The codes of a stream, where frames between labels have the previous class before an onset and
  /// the new one after it.
  ///
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
  }

  /// Does nothing if the recording lacks a label's frames; O(log frames + frames between the
  /// labels).
  mutating func add(_ onset: LabelOnset, at times: [Double]) {
    for stream in AnswerStream.allCases {
      guard let after = onset.code(stream) else { continue }
      let codes = codes(stream)
      let first = Self.firstFrame(at: onset.time.value, times)
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

  private static func firstFrame(at time: Double, _ times: [Double]) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
