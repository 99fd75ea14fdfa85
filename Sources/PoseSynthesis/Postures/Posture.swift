package import PoseModel

/// A posture that a session can hold.
package enum Posture: String, CaseIterable, Hashable, Sendable {
  // Planks.
  case forearm, high, sideLeftElbow, sideLeftHand, sideRightElbow, sideRightHand, reverse
  // Upright.
  case standing, armsForward, oneArmUp, sideBend, walking, tallKneel, chairSit, longSit, squat
  // On hands and knees or feet.
  case allFours, crawl, downwardDog, childsPose, cobra, pushUpBottom, kneePlank
  // Lying.
  case lyingProne, lyingProneArmsOverhead, lyingProneHandsByShoulders
  case lyingSupine, lyingSupineArmsOverhead, lyingSideLeft, lyingSideRight, crunch, gluteBridge

  /// The class of the posture; everything that is no plank is `none`.
  ///
  /// Push-up bottom, downward dog and the plank on the knees are `none` too: none of them is the
  /// exercise that is held. They are tagged as hard negatives, so that a reader who counts them
  /// as planks of bad form can take them apart.
  package var plankClass: PlankClass {
    switch self {
    case .forearm: .forearm
    case .high: .high
    case .sideLeftElbow, .sideLeftHand: .sideLeft
    case .sideRightElbow, .sideRightHand: .sideRight
    case .reverse: .reverse
    default: .none
    }
  }

  /// Whether it is held as a plank.
  package var isPlank: Bool { plankClass != .none }

  /// Whether it is a side plank.
  package var isSidePlank: Bool { plankClass == .sideLeft || plankClass == .sideRight }

  /// Whether it is no plank but of the kind that a plank detector may confuse.
  ///
  /// Everything but standing and walking, which are what people do between exercises.
  package var isHardNegative: Bool {
    !isPlank && self != .standing && self != .walking
  }

  /// Whether the trunk stands rather than lies, so that getting down takes a squat.
  var isUpright: Bool {
    switch self {
    case .standing, .armsForward, .oneArmUp, .sideBend, .walking, .tallKneel, .chairSit, .squat:
      true
    default: false
    }
  }

  /// Whether the body lies, or hangs head down: what pose estimators saw little of in training.
  var isInvertedOrLying: Bool {
    switch self {
    case .downwardDog, .childsPose, .crunch, .gluteBridge, .lyingProne, .lyingProneArmsOverhead,
      .lyingProneHandsByShoulders, .lyingSupine, .lyingSupineArmsOverhead, .lyingSideLeft,
      .lyingSideRight:
      true
    default: false
    }
  }
}

/// How the trunk lies in the world before any incline.
enum Rest {
  case upright, prone, supine, leftUp, rightUp

  /// From the pelvis frame to the world, the head along +z except upright.
  var rotation: Rotation3 {
    switch self {
    case .upright: .identity
    case .prone: .aboutX(Degrees(90))
    case .supine: .aboutY(Degrees(180)) * .aboutX(Degrees(-90))
    case .leftUp: .aboutX(Degrees(90)) * .aboutY(Degrees(90))
    case .rightUp: .aboutX(Degrees(90)) * .aboutY(Degrees(-90))
    }
  }
}
