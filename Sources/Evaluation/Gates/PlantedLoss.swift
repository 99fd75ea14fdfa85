internal import PoseModel
internal import Statistics

/// Wrong answers put into a sequence: stretches of right frames that get the answer of another
/// class.
///
/// Stretches have exponential lengths with a mean of half a second and start anywhere, so that
/// their shares of classes are those of the right frames.
enum PlantedLoss {
  /// The mean length of a stretch, in seconds.
  static let stretch = 0.5

  /// A sequence with a share of its scored time answered wrong besides what is wrong already.
  ///
  /// - Parameters:
  ///   - share: of the scored frames, 0...1; no more than are right can become wrong.
  ///   - others: the wrong answer by true class code.
  ///   - random: gives the places and lengths.
  /// - Complexity: O(frames).
  static func planted(
    in outcome: SequenceOutcome, _ stream: AnswerStream, share: Double, others: [UInt8],
    random: RandomStream
  ) -> SequenceOutcome {
    let truth = outcome.truth.codes(stream)
    var answers = outcome[stream].answers
    var isDetermined = outcome[stream].isDetermined
    var isHeld = outcome[stream].isHeld
    let right = truth.indices.filter { FrameTruth.isScored(truth[$0]) && answers[$0] == truth[$0] }
    let scored = truth.count { FrameTruth.isScored($0) }
    let wanted = min(right.count, whole(share * Double(scored), random))
    let length = stretch / outcome.frameWeight.value
    var left = wanted
    for start in random.permutation(of: right.count) where left > 0 {
      let frames = 1 + Int(-length * Exponential.log(1 - random.uniform()))
      for place in right[start..<min(start + frames, right.count)] where left > 0 {
        guard answers[place] == truth[place] else { break }
        answers[place] = others[Int(truth[place])]
        isDetermined[place] = true
        isHeld[place] = false
        left -= 1
      }
    }
    let changed = StreamOutcome(answers: answers, isDetermined: isDetermined, isHeld: isHeld)
    return outcome.answered(PerStream { $0 == stream ? changed : outcome[$0] })
  }

  /// A whole number whose mean is the given one.
  private static func whole(_ count: Double, _ random: RandomStream) -> Int {
    let floor = count.rounded(.down)
    return Int(floor) + (random.uniform() < count - floor ? 1 : 0)
  }

  /// The wrong answer by class code: the most frequent true class that is another one, or, if only
  /// one class is true, the first other class of the stream.
  static func others(_ outcomes: [SequenceOutcome], _ stream: AnswerStream) -> [UInt8] {
    var frames = stream.labels.map { _ in 0 }
    for outcome in outcomes {
      for code in outcome.truth.codes(stream) where FrameTruth.isScored(code) {
        frames[Int(code)] += 1
      }
    }
    return stream.labels.indices.map { code in
      let rest = stream.labels.indices.filter { $0 != code }
      let most = rest.max { (frames[$0], $1) < (frames[$1], $0) }
      return UInt8(most ?? code)
    }
  }
}
