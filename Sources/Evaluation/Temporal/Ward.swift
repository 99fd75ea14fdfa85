package struct WardCounts: Hashable, Sendable {
  /// The arrays that all counts share until something is counted.
  private static let noSeconds = [Double](repeating: 0, count: WardPiece.allCases.count)
  private static let noEvents = [Int](repeating: 0, count: WardEvent.allCases.count)

  private var pieceSeconds = noSeconds
  private var truthEvents = noEvents
  private var answerEvents = noEvents

  package init() {}

  package func seconds(_ piece: WardPiece) -> Double { pieceSeconds[piece.ordinal] }

  package func truth(_ event: WardEvent) -> Int { truthEvents[event.ordinal] }

  package func answers(_ event: WardEvent) -> Int { answerEvents[event.ordinal] }

  package func seconds(isTrue: Bool) -> Double {
    WardPiece.allCases.reduce(0) { $1.isTrue == isTrue ? $0 + seconds($1) : $0 }
  }

  /// The time of a kind of piece, as a share of the class's true time or of all other time.
  package func rate(_ piece: WardPiece) -> MetricValue {
    .ratio(
      seconds(piece), seconds(isTrue: piece.isTrue), orElse: piece.isTrue ? .noTruth : .onlyTruth)
  }

  /// Beyond the ends of a span, nothing counts as right.
  mutating func add(_ span: ScoredSpan, _ dwell: (Int) -> Double) {
    let pieces = Self.pieces(span)
    for (index, piece) in pieces.enumerated() {
      let kind = WardPiece(
        isTrue: piece.isTrue, isAnswered: piece.isAnswered,
        isRightBefore: index > 0 && pieces[index - 1].isRight,
        isRightAfter: index + 1 < pieces.count && pieces[index + 1].isRight)
      pieceSeconds[kind.ordinal] += piece.frames.reduce(0) { $0 + dwell($1) }
    }
    let sorted = WardEvent.sort(
      truth: ScoredSpan.events(span.truth), answers: ScoredSpan.events(span.answers))
    for event in sorted.truth { truthEvents[event.ordinal] += 1 }
    for event in sorted.answers { answerEvents[event.ordinal] += 1 }
  }

  package static func += (left: inout WardCounts, right: WardCounts) {
    for index in left.pieceSeconds.indices { left.pieceSeconds[index] += right.pieceSeconds[index] }
    for index in left.truthEvents.indices {
      left.truthEvents[index] += right.truthEvents[index]
      left.answerEvents[index] += right.answerEvents[index]
    }
  }

  private struct Piece {
    let frames: Range<Int>
    let isTrue: Bool
    let isAnswered: Bool
    var isRight: Bool { isTrue && isAnswered }
  }

  private static func pieces(_ span: ScoredSpan) -> [Piece] {
    var pieces: [Piece] = []
    var start = span.frames.lowerBound
    var (truth, answer) = (0, 0)
    while start < span.frames.upperBound {
      let (left, right) = (span.truth[truth], span.answers[answer])
      let end = min(left.frames.upperBound, right.frames.upperBound)
      pieces.append(Piece(frames: start..<end, isTrue: left.code == 1, isAnswered: right.code == 1))
      if left.frames.upperBound == end { truth += 1 }
      if right.frames.upperBound == end { answer += 1 }
      start = end
    }
    return pieces
  }
}

extension WardCounts: Codable {
  private enum CodingKeys: String, CodingKey {
    case seconds
    case truth = "true_events"
    case answers = "predicted_events"
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func list<Kind: RawRepresentable<String>, Count: Decodable & Numeric>(
      _ kinds: [Kind], _ key: CodingKeys
    ) throws -> [Count] {
      let named = try container.decode([String: Count].self, forKey: key)
      return kinds.map { named[$0.rawValue] ?? 0 }
    }
    pieceSeconds = try list(WardPiece.allCases, .seconds)
    truthEvents = try list(WardEvent.allCases, .truth)
    answerEvents = try list(WardEvent.allCases, .answers)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func named<Kind: RawRepresentable<String>, Count>(
      _ kinds: [Kind], _ counts: [Count]
    ) -> [String: Count] {
      Dictionary(uniqueKeysWithValues: zip(kinds.map(\.rawValue), counts))
    }
    try container.encode(named(WardPiece.allCases, pieceSeconds), forKey: .seconds)
    try container.encode(named(WardEvent.allCases, truthEvents), forKey: .truth)
    try container.encode(named(WardEvent.allCases, answerEvents), forKey: .answers)
  }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
  var ordinal: Int {
    guard let index = Self.allCases.firstIndex(of: self) else {
      preconditionFailure("a case is one of all cases")
    }
    return index
  }
}

/// The kind of a piece of time in which truth and answers are constant, for one class against the
/// rest.
///
/// - Source: Ward, Lukowicz and Gellersen (2011), ACM TIST 2(1):6, doi 10.1145/1889681.1889687.
package enum WardPiece: String, CaseIterable, Hashable, Sendable {
  case truePositive = "true_positive"
  case trueNegative = "true_negative"
  /// A true event that is not answered in this piece, with no right answer on either side.
  case deletion
  case fragmenting
  case underfillStart = "underfill_start"
  case underfillEnd = "underfill_end"
  /// An answer outside true events, with no right answer on either side.
  case insertion
  /// An answer that bridges the gap between two true events.
  case merge
  case overfillStart = "overfill_start"
  case overfillEnd = "overfill_end"

  package var isTrue: Bool {
    switch self {
    case .truePositive, .deletion, .fragmenting, .underfillStart, .underfillEnd: true
    case .trueNegative, .insertion, .merge, .overfillStart, .overfillEnd: false
    }
  }

  /// A neighbor is right if its truth and its answer are both the class.
  init(isTrue: Bool, isAnswered: Bool, isRightBefore: Bool, isRightAfter: Bool) {
    switch (isTrue, isAnswered) {
    case (true, true): self = .truePositive
    case (false, false): self = .trueNegative
    case (true, false):
      self =
        isRightBefore
        ? (isRightAfter ? .fragmenting : .underfillEnd)
        : (isRightAfter ? .underfillStart : .deletion)
    case (false, true):
      self =
        isRightBefore
        ? (isRightAfter ? .merge : .overfillEnd) : (isRightAfter ? .overfillStart : .insertion)
    }
  }
}

/// The outcome of an event, for one class against the rest.
///
/// Truth and answers are classified separately, so that the outcomes of each side add up to its
/// number of events. Events overlap if they share a frame; touching is not overlapping.
///
/// - Source: Ward, Lukowicz and Gellersen (2011), ACM TIST 2(1):6, doi 10.1145/1889681.1889687.
package enum WardEvent: String, CaseIterable, Hashable, Sendable {
  case correct
  /// The event overlaps no event of the other side: a true event is a deletion, an answer an
  /// insertion.
  case alone
  /// Several answers overlap the true event, or the answer is one of several that overlap the same
  /// true event.
  case fragmented
  /// The answer overlaps several true events, or the true event is one of several that the same
  /// answer overlaps.
  case merged
  case fragmentedAndMerged = "fragmented_and_merged"

  fileprivate init(overlaps: Int, isFragmented: Bool, isMerged: Bool) {
    switch (overlaps > 0, isFragmented, isMerged) {
    case (false, _, _): self = .alone
    case (true, true, true): self = .fragmentedAndMerged
    case (true, true, false): self = .fragmented
    case (true, false, true): self = .merged
    case (true, false, false): self = .correct
    }
  }

  static func sort(
    truth: [LabelRun], answers: [LabelRun]
  ) -> (truth: [WardEvent], answers: [WardEvent]) {
    let pairs = overlaps(truth, answers)
    var ofTruth = [Int](repeating: 0, count: truth.count)
    var ofAnswers = [Int](repeating: 0, count: answers.count)
    for pair in pairs {
      ofTruth[pair.truth] += 1
      ofAnswers[pair.answer] += 1
    }
    var isMerged = [Bool](repeating: false, count: truth.count)
    var isFragment = [Bool](repeating: false, count: answers.count)
    for pair in pairs {
      if ofAnswers[pair.answer] > 1 { isMerged[pair.truth] = true }
      if ofTruth[pair.truth] > 1 { isFragment[pair.answer] = true }
    }
    return (
      truth.indices.map {
        WardEvent(overlaps: ofTruth[$0], isFragmented: ofTruth[$0] > 1, isMerged: isMerged[$0])
      },
      answers.indices.map {
        WardEvent(
          overlaps: ofAnswers[$0], isFragmented: isFragment[$0], isMerged: ofAnswers[$0] > 1)
      }
    )
  }

  private static func overlaps(
    _ truth: [LabelRun], _ answers: [LabelRun]
  ) -> [(truth: Int, answer: Int)] {
    var pairs: [(truth: Int, answer: Int)] = []
    var (left, right) = (0, 0)
    while left < truth.count, right < answers.count {
      if truth[left].frames.overlaps(answers[right].frames) { pairs.append((left, right)) }
      if truth[left].frames.upperBound < answers[right].frames.upperBound {
        left += 1
      } else {
        right += 1
      }
    }
    return pairs
  }
}
