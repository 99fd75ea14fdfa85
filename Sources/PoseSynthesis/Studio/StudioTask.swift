import PoseModel

/// What one session of a studio is about.
enum StudioTask: Hashable, Sendable {
  /// A way of doing a plank wrong, or right.
  enum Fault: String, CaseIterable, Hashable, Sendable {
    case none, sag, pike, lumbar, shoulder, knees, flexion
  }

  /// A plank held straight, then with a fault, then straight again.
  case plank(Posture, Fault)
  /// A long hold that tires into sag or pike, with recoveries.
  case fatigue(Posture, Fault)
  /// Several planks, one after the other.
  case flow([Posture])
  /// A plank that ends in a collapse.
  case collapse(Posture)
  /// Something that is no plank.
  case negative(Posture)

  /// Every task of a studio: each plank with each fault that it can have, and each negative.
  ///
  /// Sag and pike stand twice: they are what form labels are about, and last a third of a session.
  static let all: [StudioTask] = planks + others + negatives

  private static let planks: [StudioTask] = Posture.allCases.filter(\.isPlank).flatMap { posture in
    (Fault.allCases + [.sag, .pike]).filter { $0.applies(to: posture) }.map {
      .plank(posture, $0)
    }
  }

  private static let others: [StudioTask] = [
    .fatigue(.forearm, .sag), .fatigue(.high, .sag), .fatigue(.reverse, .sag),
    .fatigue(.forearm, .pike), .fatigue(.sideLeftElbow, .sag), .fatigue(.sideRightHand, .sag),
    .flow([.forearm, .high, .forearm]), .flow([.high, .sideLeftHand, .high, .sideRightHand]),
    .flow([.forearm, .sideRightElbow, .forearm, .sideLeftElbow]), .collapse(.forearm),
    .collapse(.high), .collapse(.reverse),
  ]

  private static let negatives: [StudioTask] = Posture.allCases.filter { !$0.isPlank }
    .map { .negative($0) }
}

extension StudioTask.Fault {
  /// Whether a plank can have the fault.
  func applies(to posture: Posture) -> Bool {
    switch self {
    case .none, .sag, .pike: true
    case .lumbar, .shoulder, .knees: posture == .forearm || posture == .high
    case .flexion: posture.isSidePlank
    }
  }
}
