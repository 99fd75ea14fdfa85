internal import PoseModel

extension DetectorDefinition {
  /// Rules for image points: a body that lies across the picture, or a high plank from any side.
  ///
  /// One arm and one leg are enough, because a body seen from the side hides the others. A body
  /// seen from the head or the feet is `none`, because it looks too short compared with its arms.
  /// Only a high plank is recognized from every side, because its arms stand upright on the floor.
  public static let profile = known(
    name: "profile",
    summary: "image points: planks from the side, high planks from most sides; form as an angle",
    axes: .image, measurements: profileMeasurements,
    plank: [
      (.none, "leastConfidence < profile_confidence"),
      (.none, "legAngle < profile_leg_angle"),
      (.none, "legSpread > profile_leg_spread"),
      (.none, "hipFold < profile_hip_fold"),
      (.none, "handLift > profile_hand_lift"),
      (.none, "handLift < -profile_hand_depth"),
      (
        .high,
        """
        sideLift < profile_shoulder_lift and noseLift <= profile_nose_lift \
        and elbowLift > profile_elbow_lift and armReach > profile_arm_reach \
        and hipRise > profile_hip_rise and kneeLift > profile_knee_lift
        """
      ),
      (.none, "bodySpan < profile_body_span"),
      (.none, "bodyIncline >= profile_body_incline"),
      (.none, "chestIncline > profile_seated_incline"),
      (.none, "armDrop < profile_arm_drop"),
      (.none, "sideLift >= profile_shoulder_lift and hipLift < profile_hip_lift"),
      (.none, "sideLift >= profile_shoulder_lift and sideArm < profile_side_arm"),
      (.sideLeft, "shoulderLift >= profile_shoulder_lift"),
      (.sideRight, "shoulderLift <= -profile_shoulder_lift"),
      (.none, "noseLift > profile_nose_lift and hipLift < profile_hip_lift"),
      (.reverse, "noseLift > profile_nose_lift"),
      (.none, "elbowLift > profile_elbow_lift"),
      (.none, "chestLift < profile_chest_lift"),
      (.none, "restLift < profile_rest_lift and chestIncline > profile_rest_incline"),
      (.forearm, ""),
    ],
    form: [
      (.sag, "hipAngle < profile_sag_angle"), (.pike, "hipAngle > profile_pike_angle"),
      (.aligned, ""),
    ])

  private static let profileMeasurements: [(name: String, text: String)] = [
    ("leastConfidence", "orElse(confidence(shoulders, elbows, wrists, hips, knees, ankles), 1)"),
    ("bodyLength", "distance(shoulders, hips) + distance(hips, knees) + distance(knees, ankles)"),
    ("leftArm", "distance(leftShoulder, leftElbow) + distance(leftElbow, leftWrist)"),
    ("rightArm", "distance(rightShoulder, rightElbow) + distance(rightElbow, rightWrist)"),
    ("armLength", "orElse(max(leftArm, rightArm), orElse(leftArm, rightArm))"),
    ("bodySpan", "bodyLength / armLength"),
    ("bodyIncline", "abs(dot(direction(ankles, shoulders), up))"),
    ("chestIncline", "dot(direction(hips, shoulders), up)"),
    ("legAngle", "orElse(kneeAngle, angle(hips, knees, ankles))"),
    ("legSpread", "orElse(thighSpread, 0deg)"),
    ("hipFold", "angle(shoulders, hips, ankles)"),
    ("hipAngle", "signedAngle(shoulders, hips, ankles)"),
    (
      "leftDrop",
      "max(height(leftShoulder - leftElbow), height(leftShoulder - leftWrist)) / bodyLength"
    ),
    (
      "rightDrop",
      "max(height(rightShoulder - rightElbow), height(rightShoulder - rightWrist)) / bodyLength"
    ),
    ("armDrop", "orElse(max(leftDrop, rightDrop), orElse(leftDrop, rightDrop))"),
    ("hipLift", "(height(hips) - lowest) / bodyLength"),
    ("leftHand", "min(height(leftElbow - ankles), height(leftWrist - ankles))"),
    ("rightHand", "min(height(rightElbow - ankles), height(rightWrist - ankles))"),
    ("handLift", "orElse(min(leftHand, rightHand), orElse(leftHand, rightHand)) / armLength"),
    ("elbowLift", "height(elbows - wrists) / armLength"),
    ("armReach", "height(shoulders - wrists) / armLength"),
    ("hipRise", "height(hips - midpoint(wrists, ankles)) / armLength"),
    ("kneeLift", "height(knees - (ankles + 0.3 * (wrists - ankles))) / armLength"),
    ("shoulderLift", "orElse(height(leftShoulder - rightShoulder), 0 * bodyLength) / armLength"),
    ("sideLift", "abs(shoulderLift)"),
    ("leftUpper", "dot(direction(leftElbow, leftShoulder), up)"),
    ("rightUpper", "dot(direction(rightElbow, rightShoulder), up)"),
    ("sideArm", "orElse(max(leftUpper, rightUpper), orElse(leftUpper, rightUpper))"),
    ("noseLift", "orElse(deviation(nose, shoulders, hips) / bodyLength, 0)"),
    ("chestLift", "height(shoulders - elbows) / bodyLength"),
    ("restLift", "deviation(hips, elbows, ankles) / bodyLength"),
  ]
}

extension ParameterCatalogue {
  static let profile: [ParameterDefinition] = [
    .init(
      checked: ParameterKey("profile_confidence"), .ratio, 0.15, 0...1,
      "confidence of the better seen joint of every pair below which a body is not seen"),
    .init(
      checked: ParameterKey("profile_body_incline"), .ratio, 0.6427876096865393, 0...1,
      "incline of the line from ankles to shoulders at or above which a body stands: sine of 40 degrees"
    ),
    .init(
      checked: ParameterKey("profile_body_span"), .ratio, 1.4, 0...5,
      "trunk and legs over an arm in the image below which a body is not seen from the side"),
    .init(
      checked: ParameterKey("profile_leg_angle"), .degrees, 130, 0...180,
      "knee angle below which legs are bent too far for a plank"),
    .init(
      checked: ParameterKey("profile_leg_spread"), .degrees, 60, 0...180,
      "angle between the thighs beyond which a body lunges or crawls"),
    .init(
      checked: ParameterKey("profile_hip_fold"), .degrees, 110, 0...180,
      "angle at the hips below which a body is folded too far for a plank"),
    .init(
      checked: ParameterKey("profile_seated_incline"), .ratio, 0.8, 0...1,
      "incline of the trunk beyond which a body sits"),
    .init(
      checked: ParameterKey("profile_arm_drop"), .ratio, 0.1, 0...0.5,
      "reach of an arm below its shoulder, over the body's length, below which nothing carries it"),
    .init(
      checked: ParameterKey("profile_hip_lift"), .ratio, 0.12, 0...0.5,
      "height of the hips over the lowest joint, over the body's length, below which a body lies "
        + "on its side or back"),
    .init(
      checked: ParameterKey("profile_hand_lift"), .ratio, 0.37, 0...2,
      "height of the lowest hand or elbow over the feet, over the arm's length, beyond which they "
        + "are not on the same floor"),
    .init(
      checked: ParameterKey("profile_hand_depth"), .ratio, 1.25, 0...5,
      "depth of the lowest hand or elbow under the feet, over the arm's length, beyond which a "
        + "body is seen from close to its head"),
    .init(
      checked: ParameterKey("profile_elbow_lift"), .ratio, 0.28, 0...1,
      "height of the elbows over the hands, over the arm's length, beyond which hands carry a "
        + "body"),
    .init(
      checked: ParameterKey("profile_arm_reach"), .ratio, 0.7, 0...1,
      "height of the shoulders over the hands, over the arm's length, beyond which arms are "
        + "straight"),
    .init(
      checked: ParameterKey("profile_hip_rise"), .ratio, 0.22, 0...2,
      "height of the hips over the middle between hands and feet, over the arm's length, beyond "
        + "which they are up"),
    .init(
      checked: ParameterKey("profile_knee_lift"), .ratio, 0.03, -0.5...1,
      "height of the knees over the line from hands to feet, over the arm's length, beyond which "
        + "they are off the floor"),
    .init(
      checked: ParameterKey("profile_shoulder_lift"), .ratio, 0.4, 0...1,
      "height of one shoulder over the other, over the arm's length, at or above which a plank is a "
        + "side plank"),
    .init(
      checked: ParameterKey("profile_nose_lift"), .ratio, 0.03, -0.2...0.2,
      "height of the nose over the line of the trunk, over the body's length, beyond which a body "
        + "faces up"),
    .init(
      checked: ParameterKey("profile_side_arm"), .ratio, 0.6, 0...1,
      "incline of the steeper upper arm below which it does not carry a side plank"),
    .init(
      checked: ParameterKey("profile_chest_lift"), .ratio, 0.08, 0...0.5,
      "height of the shoulders over the elbows, over the body's length, below which a body lies"),
    .init(
      checked: ParameterKey("profile_rest_lift"), .ratio, 0.09, 0...0.5,
      "height of the hips over the line from elbows to ankles, over the body's length, below which "
        + "a body whose chest is up rests on its elbows"),
    .init(
      checked: ParameterKey("profile_rest_incline"), .ratio, 0.38, 0...1,
      "incline of the trunk beyond which a body whose hips are low rests on its elbows"),
    .init(
      checked: ParameterKey("profile_sag_angle"), .degrees, 175, 0...360,
      "angle at the hips below which they sag"),
    .init(
      checked: ParameterKey("profile_pike_angle"), .degrees, 205, 0...360,
      "angle at the hips beyond which they pike"),
    .init(
      checked: ParameterKey("profile_sag_angle").calibrated, .degrees, 178, 0...360,
      "the same for a calibrated person: the true angle below which the hips sag"),
    .init(
      checked: ParameterKey("profile_pike_angle").calibrated, .degrees, 192, 0...360,
      "the same for a calibrated person: the true angle beyond which the hips pike"),
  ]
}
