internal import PoseModel

extension DetectorDefinition {
  /// Rules made for real people: they test support, knees and arms, and then the turn of the trunk.
  ///
  /// The rules were made from all development recordings, which include videos of people who rest,
  /// kneel and roll between planks; see `experiments/detectors`. For the third edition, the choice
  /// of edits was repeated with each person and each source left out in turn; see
  /// `experiments/coach-third-edition`.
  public static let coach = known(
    name: "coach",
    summary: "what carries the body, then the turn of the trunk; form as an angle",
    axes: .gravity, measurements: coachMeasurements,
    plank: coachPostures + coachTurned + coachProne,
    form: [
      (.sag, "signedHipAngle < coach_sag_angle"),
      (.pike, "signedHipAngle > coach_pike_angle"),
      (.aligned, ""),
    ])

  private static let coachPostures: [(PlankClass, String)] = [
    (.none, "verticalRatio >= coach_horizontal_ratio"),
    (.none, "trunkIncline > coach_seated_incline"),
    (.none, "supportDrop < coach_support_drop"),
    (.none, "handHeight > coach_hand_height"),
    (.none, "handHeight < -coach_foot_height"),
    (.none, "kneeClearance < coach_knee_clearance"),
  ]

  private static let coachTurned: [(PlankClass, String)] = [
    (.none, "trunkTurn >= coach_side_roll and legIncline > coach_side_leg_incline"),
    (.none, "trunkTurn >= coach_reverse_roll and hipClearance < coach_reverse_clearance"),
    (.none, "trunkTurn >= coach_reverse_roll and kneeAngle < coach_knee_angle"),
    (.reverse, "trunkTurn >= coach_reverse_roll"),
    (.none, "trunkTurn >= coach_side_roll and hipClearance < coach_side_clearance"),
    (.none, "trunkTurn >= coach_side_roll and straighterKnee < coach_knee_angle"),
    (.none, "trunkTurn >= coach_side_roll and pelvisTurn < coach_pelvis_turn"),
    (.none, "trunkTurn >= coach_side_roll and handHeight < -coach_side_hand_drop"),
    (.none, "trunkTurn >= coach_side_roll and signedHipAngle < coach_side_hip_angle"),
    (.sideLeft, "trunkRoll >= coach_side_roll"),
    (.sideRight, "trunkRoll <= -coach_side_roll"),
  ]

  private static let coachProne: [(PlankClass, String)] = [
    (.none, "kneeAngle < coach_knee_angle"),
    (.none, "thighSpread > coach_thigh_spread"),
    (.none, "upperArmIncline < coach_upper_arm_incline"),
    (.none, "hipClearance < coach_hip_clearance and upperArmIncline < coach_prone_arm_incline"),
    (.none, "hipClearance < coach_rest_clearance and trunkIncline > coach_rest_incline"),
    (.none, "signedHipAngle > coach_fold_angle and elbowRise > coach_fold_elbow_rise"),
    (.none, "bodyAngle < coach_body_angle"),
    (.none, "\(onHands) and shinIncline > coach_kneeling_shin_incline"),
    (
      .none,
      "\(onHands) and trunkIncline > coach_chest_incline and shinIncline > coach_chest_shin_incline"
    ),
    (.none, "trunkIncline > coach_arch_incline and signedHipAngle < coach_arch_angle"),
    (.none, "\(onHands) and armReach < coach_arm_reach"),
    (.none, "\(onHands) and armExtension < coach_arm_extension"),
    (.none, "\(onHands) and wristReach > coach_wrist_reach"),
    (.high, onHands),
    (.none, "forearmVerticality > coach_doubtful_forearm and elbowRise > coach_elbow_rise"),
    (.forearm, ""),
  ]

  private static let onHands = "forearmVerticality > coach_forearm_verticality"

  private static let coachMeasurements: [(name: String, text: String)] = [
    ("trunkTurn", "abs(trunkRoll)"),
    ("lowerKnee", "min(height(leftKnee - root), height(rightKnee - root))"),
    ("lowerElbow", "min(height(leftElbow - root), height(rightElbow - root))"),
    ("lowerWrist", "min(height(leftWrist - root), height(rightWrist - root))"),
    ("lowerAnkle", "min(height(leftAnkle - root), height(rightAnkle - root))"),
    ("kneeClearance", "(lowerKnee - min(lowerElbow, lowerWrist, lowerAnkle)) / bodyHeight"),
    ("shinIncline", "dot(direction(knees, ankles), up)"),
    ("legIncline", "dot(direction(root, ankles), up)"),
    (
      "straighterKnee",
      "max(angle(leftHip, leftKnee, leftAnkle), angle(rightHip, rightKnee, rightAnkle))"
    ),
    ("pelvisTurn", "abs(dot(direction(rightHip, leftHip), up))"),
    ("wristReach", "dot(wrists - shoulders, direction(root, centerShoulder)) / bodyHeight"),
    ("leftArm", "distance(leftShoulder, leftElbow) + distance(leftElbow, leftWrist)"),
    ("rightArm", "distance(rightShoulder, rightElbow) + distance(rightElbow, rightWrist)"),
    (
      "armReach",
      """
      max(height(leftShoulder - leftWrist) / leftArm, \
      height(rightShoulder - rightWrist) / rightArm)
      """
    ),
    (
      "armExtension",
      """
      mean(distance(leftShoulder, leftWrist) / leftArm, \
      distance(rightShoulder, rightWrist) / rightArm)
      """
    ),
  ]
}

extension ParameterCatalogue {
  static let coach: [ParameterDefinition] = coachOfPostures + coachOfProneBodies

  private static let coachOfPostures: [ParameterDefinition] = [
    .init(
      checked: .coachHorizontalRatio, .ratio, 0.6427876096865393, 0...1,
      "vertical ratio at or above which a body stands: the sine of 40 degrees"),
    .init(
      checked: .coachKneeAngle, .degrees, 135, 0...180,
      "angle of the knees (mean; on the side, of the straighter one) below which they carry no plank"
    ),
    .init(
      checked: .coachThighSpread, .degrees, 60, 0...180,
      "angle between the thighs beyond which a body lunges or crawls"),
    .init(
      checked: .coachSeatedIncline, .ratio, 0.8, 0...1,
      "incline of the trunk beyond which a body sits"),
    .init(
      checked: .coachSupportDrop, .bodyHeights, 0.08, 0...0.5,
      "reach of an arm below its shoulder below which nothing carries the body"),
    .init(
      checked: .coachHandHeight, .bodyHeights, 0.15, 0...0.6,
      "height of hands and elbows over the feet beyond which they are not on the same floor"),
    .init(
      checked: .coachFootHeight, .bodyHeights, 0.45, 0...1,
      "height of the feet over hands and elbows beyond which the camera looks along the body"),
    .init(
      checked: .coachKneeClearance, .bodyHeights, 0.01, -0.2...0.2,
      "height of the lower knee over hands, elbows and feet below which it is on the floor"),
    .init(
      checked: .coachReverseRoll, .degrees, 135, 0...180,
      "turn of the trunk at or above which a body faces up"),
    .init(
      checked: .coachReverseClearance, .bodyHeights, 0.15, 0...0.5,
      "height of the hips over the lowest joint below which a body that faces up lies"),
    .init(
      checked: .coachSideRoll, .degrees, 55, 0...180,
      "turn of the trunk at or above which a plank is a side plank"),
    .init(
      checked: .coachHipClearance, .bodyHeights, 0.15, 0...0.5,
      "height of the hips over the lowest joint below which they may be on the floor"),
    .init(
      checked: .coachSideLegIncline, .ratio, 0, -1...1,
      "incline of the legs, up to the feet, beyond which a body on its side or back lies"),
    .init(
      checked: .coachSideClearance, .bodyHeights, 0.1, 0...0.5,
      "height of the hips over the lowest joint below which a body on its side lies"),
    .init(
      checked: .coachPelvisTurn, .ratio, 0.5, 0...1,
      "uprightness of the line through the hips below which a turned trunk is not a side plank"),
    .init(
      checked: .coachSideHandDrop, .bodyHeights, 0.2, 0...1,
      "depth of hands and elbows below the feet beyond which they carry no side plank"),
    .init(
      checked: .coachSideHipAngle, .degrees, 140, 0...360,
      "signed hip angle below which a body on its side sits"),
  ]

  private static let coachOfProneBodies: [ParameterDefinition] = [
    .init(
      checked: .coachUpperArmIncline, .ratio, 0.36, -1...1,
      "incline of the upper arms below which a prone body lies or is at the bottom of a push-up"),
    .init(
      checked: .coachProneArmIncline, .ratio, 0.6, -1...1,
      "incline of the upper arms below which a body whose hips may be on the floor lies"),
    .init(
      checked: .coachRestClearance, .bodyHeights, 0.08, 0...0.5,
      "height of the hips over the lowest joint below which a body whose chest is up rests"),
    .init(
      checked: .coachRestIncline, .ratio, 0.365, 0...1,
      "incline of the trunk beyond which a body whose hips are low rests on its elbows"),
    .init(
      checked: .coachFoldAngle, .degrees, 240, 0...360,
      "signed hip angle beyond which a body whose elbows are off the floor is a downward dog"),
    .init(
      checked: .coachFoldElbowRise, .bodyHeights, 0.02, -0.2...0.3,
      "height of the elbows over the hands beyond which a folded body is a downward dog"),
    .init(
      checked: .coachBodyAngle, .degrees, 80, 0...180,
      "body angle below which a body is folded too far for a plank"),
    .init(
      checked: .coachKneelingShinIncline, .ratio, 0.15, -1...1,
      "incline of the shins, up to the feet, beyond which a body on its hands kneels"),
    .init(
      checked: .coachChestIncline, .ratio, 0.3, 0...1,
      "incline of the trunk beyond which the chest of a body on its hands is up"),
    .init(
      checked: .coachChestShinIncline, .ratio, 0.04, -1...1,
      "incline of the shins, up to the feet, beyond which a body whose chest is up kneels"),
    .init(
      checked: .coachArchIncline, .ratio, 0.4, 0...1,
      "incline of the trunk beyond which an arched prone body is an upward dog"),
    .init(
      checked: .coachArchAngle, .degrees, 147, 0...360,
      "signed hip angle below which a prone body whose chest is up is an upward dog"),
    .init(
      checked: .coachArmReach, .ratio, 0.8, -1...1,
      "height of a shoulder over its hand, in arm lengths, below which the arms are bent"),
    .init(
      checked: .coachArmExtension, .ratio, 0.86, 0...1,
      "distance from shoulder to hand, in arm lengths, below which the arms are bent"),
    .init(
      checked: .coachForearmVerticality, .ratio, 0.6, 0...1,
      "uprightness of the forearms beyond which a body stands on its hands"),
    .init(
      checked: .coachWristReach, .bodyHeights, 0.14, -0.5...0.5,
      "reach of the hands ahead of the shoulders beyond which they do not carry the body"),
    .init(
      checked: .coachDoubtfulForearm, .ratio, 0.38, 0...1,
      "uprightness of the forearms beyond which elbows over the hands are believed"),
    .init(
      checked: .coachElbowRise, .bodyHeights, 0.075, -0.2...0.3,
      "height of the elbows over the hands beyond which they are off the floor"),
    .init(
      checked: .coachSagAngle, .degrees, 175, 0...360,
      "signed hip angle below which the hips sag"),
    .init(
      checked: .coachPikeAngle, .degrees, 205, 0...360,
      "signed hip angle beyond which the hips pike"),
    .init(
      checked: .coachSagAngle.calibrated, .degrees, 170, 0...360,
      "the same for a calibrated person: the true angle below which the hips sag"),
    .init(
      checked: .coachPikeAngle.calibrated, .degrees, 192, 0...360,
      "the same for a calibrated person: the true angle beyond which the hips pike"),
  ]
}

extension ParameterKey {
  /// The vertical ratio at or above which a body stands.
  public static let coachHorizontalRatio = ParameterKey("coach_horizontal_ratio")
  /// The angle below which the knees are bent too far for a plank.
  public static let coachKneeAngle = ParameterKey("coach_knee_angle")
  /// The angle between the thighs beyond which a body lunges.
  public static let coachThighSpread = ParameterKey("coach_thigh_spread")
  /// The incline of the trunk beyond which a body sits.
  public static let coachSeatedIncline = ParameterKey("coach_seated_incline")
  /// How far below its shoulder an arm must reach to carry the body.
  public static let coachSupportDrop = ParameterKey("coach_support_drop")
  /// How far above the feet the lowest hand or elbow may be.
  public static let coachHandHeight = ParameterKey("coach_hand_height")
  /// How far above hands and elbows the feet may be.
  public static let coachFootHeight = ParameterKey("coach_foot_height")
  /// How far off the floor both knees must be.
  public static let coachKneeClearance = ParameterKey("coach_knee_clearance")
  /// The turn of the trunk at or above which a body faces up.
  public static let coachReverseRoll = ParameterKey("coach_reverse_roll")
  /// How far off the floor a reverse plank's hips must be.
  public static let coachReverseClearance = ParameterKey("coach_reverse_clearance")
  /// The turn of the trunk at or above which a body lies on its side.
  public static let coachSideRoll = ParameterKey("coach_side_roll")
  /// The height of the hips below which they may be on the floor.
  public static let coachHipClearance = ParameterKey("coach_hip_clearance")
  /// How steeply the legs of a side or reverse plank may rise toward the feet.
  public static let coachSideLegIncline = ParameterKey("coach_side_leg_incline")
  /// How far off the floor the hips must be in a side plank.
  public static let coachSideClearance = ParameterKey("coach_side_clearance")
  /// How far the pelvis must be turned with the trunk in a side plank.
  public static let coachPelvisTurn = ParameterKey("coach_pelvis_turn")
  /// How far below the feet the hand may be in a side plank.
  public static let coachSideHandDrop = ParameterKey("coach_side_hand_drop")
  /// The signed hip angle below which a body on its side sits.
  public static let coachSideHipAngle = ParameterKey("coach_side_hip_angle")
  /// How far the upper arms must hang down in a prone plank.
  public static let coachUpperArmIncline = ParameterKey("coach_upper_arm_incline")
  /// How far the upper arms must hang down if the hips may be on the floor.
  public static let coachProneArmIncline = ParameterKey("coach_prone_arm_incline")
  /// The hip height below which a body with its chest up rests.
  public static let coachRestClearance = ParameterKey("coach_rest_clearance")
  /// The trunk incline beyond which a body with low hips rests on its elbows.
  public static let coachRestIncline = ParameterKey("coach_rest_incline")
  /// The signed hip angle beyond which a body may be in a downward dog.
  public static let coachFoldAngle = ParameterKey("coach_fold_angle")
  /// How far above the hands the elbows of a downward dog must be.
  public static let coachFoldElbowRise = ParameterKey("coach_fold_elbow_rise")
  /// The angle below which a body is folded too far for a plank.
  public static let coachBodyAngle = ParameterKey("coach_body_angle")
  /// How steeply the shins must rise toward the feet to show that a body on its hands kneels.
  public static let coachKneelingShinIncline = ParameterKey("coach_kneeling_shin_incline")
  /// The trunk incline beyond which the chest is up.
  public static let coachChestIncline = ParameterKey("coach_chest_incline")
  /// How steeply the shins must rise toward the feet to show that a body with its chest up kneels.
  public static let coachChestShinIncline = ParameterKey("coach_chest_shin_incline")
  /// The trunk incline beyond which an arched body is in an upward dog.
  public static let coachArchIncline = ParameterKey("coach_arch_incline")
  /// The signed hip angle below which a body with its chest up is in an upward dog.
  public static let coachArchAngle = ParameterKey("coach_arch_angle")
  /// How far above its hand a shoulder must be in a high plank, in arm lengths.
  public static let coachArmReach = ParameterKey("coach_arm_reach")
  /// How straight the arms must be in a high plank.
  public static let coachArmExtension = ParameterKey("coach_arm_extension")
  /// The verticality beyond which a forearm stands upright on its hand.
  public static let coachForearmVerticality = ParameterKey("coach_forearm_verticality")
  /// How far ahead of the shoulders the hands of a high plank may be.
  public static let coachWristReach = ParameterKey("coach_wrist_reach")
  /// The forearm verticality beyond which a forearm plank needs low elbows.
  public static let coachDoubtfulForearm = ParameterKey("coach_doubtful_forearm")
  /// How far above the hands the elbows may be in a forearm plank.
  public static let coachElbowRise = ParameterKey("coach_elbow_rise")
  /// The signed hip angle below which the hips sag.
  public static let coachSagAngle = ParameterKey("coach_sag_angle")
  /// The signed hip angle beyond which the hips pike.
  public static let coachPikeAngle = ParameterKey("coach_pike_angle")
}
