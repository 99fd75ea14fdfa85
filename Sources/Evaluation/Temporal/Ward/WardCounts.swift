/// Time and events of one class by what went wrong; sums over sequences.
package struct WardCounts: Hashable, Sendable {
  private var pieceSeconds = [Double](repeating: 0, count: WardPiece.allCases.count)
  private var truthEvents = [Int](repeating: 0, count: WardEvent.allCases.count)
  private var answerEvents = [Int](repeating: 0, count: WardEvent.allCases.count)

  /// Nothing.
  package init() {}

  /// The seconds of a kind of piece.
  package func seconds(_ piece: WardPiece) -> Double { pieceSeconds[piece.ordinal] }

  /// True events of a kind.
  package func truth(_ event: WardEvent) -> Int { truthEvents[event.ordinal] }

  /// Answered events of a kind.
  package func answers(_ event: WardEvent) -> Int { answerEvents[event.ordinal] }

  /// The seconds in which the class is true, or is not.
  package func seconds(isTrue: Bool) -> Double {
    WardPiece.allCases.reduce(0) { $1.isTrue == isTrue ? $0 + seconds($1) : $0 }
  }

  /// The share of a kind of piece: of the class's true time, or of all other time.
  package func rate(_ piece: WardPiece) -> MetricValue {
    .ratio(
      seconds(piece), seconds(isTrue: piece.isTrue), orElse: piece.isTrue ? .noTruth : .onlyTruth)
  }

  /// Counts a span that is reduced to one class.
  ///
  /// Time is cut at every boundary of truth or answers; at the ends of a span nothing is right.
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

  /// Adds the counts of other sequences.
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
      pieces.append(
        Piece(frames: start..<end, isTrue: left.code == 1, isAnswered: right.code == 1))
      if left.frames.upperBound == end { truth += 1 }
      if right.frames.upperBound == end { answer += 1 }
      start = end
    }
    return pieces
  }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
  /// The position among all cases.
  fileprivate var ordinal: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
