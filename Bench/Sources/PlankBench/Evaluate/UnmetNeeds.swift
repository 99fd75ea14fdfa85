internal import Evaluation
@_spi(Bench) internal import PlankDetection
@_spi(Bench) internal import PoseModel

extension UnmetNeed {
  /// What the rules of a detector need and no frame of a recording gives.
  ///
  /// Joints are looked up only where a list of rules decided no frame: one that is missing
  /// throughout lets it decide none.
  ///
  /// - Returns: one need per fact, for this recording; only that of poses where there are none.
  /// - Complexity: O(frames) per missing joint.
  static func find(
    _ definition: DetectorDefinition, in recording: Recording, _ answers: DetectionColumns
  ) -> [UnmetNeed] {
    let frames = 0..<recording.frameCount
    guard !frames.isEmpty, definition.mismatch(with: recording.header) == nil else { return [] }
    let predicates = AnswerStream.allCases.flatMap { stream in
      isBlind(answers[stream]) ? definition.list(stream).rules : []
    }.map { $0.predicates.map(\.measurement) }
    guard frames.contains(where: { !recording.isMissing(at: $0) }) else {
      let rules = AnswerStream.allCases.flatMap { definition.list($0).rules }
      return [UnmetNeed(.pose, rules: rules.count { !$0.predicates.isEmpty }, recordings: 1)]
    }
    func need(
      _ fact: Fact, _ joint: Joint?, _ isNeeded: (Measurement) -> Bool, _ isThere: () -> Bool
    ) -> UnmetNeed? {
      let rules = predicates.count { $0.contains(where: isNeeded) }
      return rules > 0 && !isThere()
        ? UnmetNeed(fact, joint: joint?.name, rules: rules, recordings: 1) : nil
    }
    let height = need(.bodyHeight, nil, \.needsBodyHeight) {
      frames.contains { recording.bodyHeight(at: $0) != nil }
    }
    let joints = Joint.allCases.map { joint in
      need(.joint, joint, { $0.needs(joint) }) {
        frames.contains { recording.position(of: joint, at: $0) != nil }
      }
    }
    return ([height] + joints).compactMap(\.self)
  }

  private static func isBlind(_ answers: StreamColumns) -> Bool {
    !answers.answers.indices.contains(where: answers.isDetermined)
  }

  /// Every need in a sentence with its remedy.
  ///
  /// - Parameters:
  ///   - detector: the detector's name.
  ///   - count: how many recordings were evaluated.
  static func sentences(_ needs: [UnmetNeed], of detector: String, in count: Int) -> [String] {
    let joints = needs.compactMap { need in
      need.joint.map { (name: $0, need: need) }
    }
    let others = needs.compactMap { need -> String? in
      switch need.fact {
      case .pose:
        need.recordings == count
          ? "No frame has a pose."
          : "\(need.recordings) of \(count) recordings have no frame with a pose."
      case .bodyHeight:
        "`body_height_m` is missing in \(need.place(among: count)), and \(need.ruleText) of "
          + "`\(detector)` \(need.rules == 1 ? "needs" : "need") it. Add it to the first line of "
          + "each recording."
      case .joint: nil
      }
    }
    guard let first = joints.first else { return others }
    let names = joints.map { "`\($0.name)`" }.joined(separator: ", ")
    return others + [
      "\(names) \(joints.count == 1 ? "is" : "are") in no frame of "
        + "\(first.need.place(among: count)), and rules of `\(detector)` need "
        + "\(joints.count == 1 ? "it" : "them"). Record \(joints.count == 1 ? "it" : "them"), or "
        + "take a detector that does without."
    ]
  }

  private var ruleText: String { NumberText.count(rules, "rule") }

  private func place(among count: Int) -> String {
    recordings == count && count > 1
      ? "all \(NumberText.count(count)) recordings"
      : count == 1 ? "the recording" : "\(recordings) of \(NumberText.count(count)) recordings"
  }
}
