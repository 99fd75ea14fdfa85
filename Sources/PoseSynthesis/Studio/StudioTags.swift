import PoseModel

/// The factors of a studio and their names in manifests.
enum StudioTags {
  static let distances = [Meters(0.8), Meters(1.5), Meters(2.5), Meters(4)]
  static let heights = [Meters(0.15), Meters(0.4), Meters(0.9), Meters(1.4)]
  static let rates = [Hertz(8), Hertz(15), Hertz(30), Hertz(60)]

  /// One tag for each factor of camera, clock and recording.
  static func capture(_ script: SessionScript) -> [String: String] {
    [
      "distance_m": text(script.camera.distance.value),
      "camera_height_m": text(script.camera.height.value),
      "aim": script.camera.aim.rawValue,
      "orientation": script.camera.orientation.rawValue,
      "camera_position": script.camera.position.rawValue,
      "buffer": script.camera.buffer.rawValue,
      "mirrored": String(script.camera.isMirrored),
      "gravity": script.camera.recordsGravity ? "measured" : "orientation",
      "rate_hz": text(script.clock.rate.value),
      "warm": String(script.clock.warmAfter.value < 600),
      "recording": script.output.kind.rawValue,
      "height_estimation": script.output.height.rawValue,
      "skeleton": script.output.skeleton.rawValue,
      "sex": script.subject.sex.rawValue,
    ]
  }

  /// A number without a needless fraction: `4`, `0.8`.
  private static func text(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }
}

extension StudioTask {
  /// The posture that a session is named for.
  var lead: Posture {
    switch self {
    case .plank(let posture, _), .fatigue(let posture, _), .collapse(let posture),
      .negative(let posture):
      posture
    case .flow(let postures): postures.first ?? .standing
    }
  }

  /// What the session is about, as tags.
  ///
  /// `hard_negative` names a posture that is no plank but may be taken for one.
  var tags: [String: String] {
    var tags = ["posture": lead.rawValue, "class": lead.plankClass.name]
    switch self {
    case .plank(_, let fault):
      (tags["task"], tags["fault"]) = ("plank", fault.rawValue)
    case .fatigue(_, let fault):
      (tags["task"], tags["fault"]) = ("fatigue", fault.rawValue)
    case .flow: tags["task"] = "flow"
    case .collapse: tags["task"] = "collapse"
    case .negative(let posture):
      tags["task"] = "negative"
      if posture.isHardNegative { tags["hard_negative"] = posture.rawValue }
    }
    return tags
  }
}
