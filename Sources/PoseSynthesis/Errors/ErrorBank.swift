package import PoseModel
import Statistics

/// Holds in real recordings, from which a studio replays the errors of pose estimators.
///
/// The bank contains no images and no names of people or recordings. A person can hardly be
/// recognized in it, but it is made from people's recordings, so their consent has to cover it.
package struct ErrorBank: Codable, Hashable, Sendable {
  package let madeFrom: [Origin]
  package let recordings: [RecordedErrors]

  package init(madeFrom: [Origin], recordings: [RecordedErrors]) {
    self.madeFrom = madeFrom
    self.recordings = recordings
  }

  private enum CodingKeys: String, CodingKey {
    case recordings
    case madeFrom = "made_from"
  }

  package struct Origin: Codable, Hashable, Sendable {
    package let dataset: String
    package let hash: String
    package let license: String?
    package let recordings: Int
    package let used: Int

    package init(dataset: String, hash: String, license: String?, recordings: Int, used: Int) {
      self.dataset = dataset
      self.hash = hash
      self.license = license
      self.recordings = recordings
      self.used = used
    }
  }

  package static let mostFrames = 72_000
}

package struct RecordedErrors: Codable, Hashable, Sendable {
  package var person: Int
  /// By `Bone`, the median over stretches, divided by body height; 0 for a bone that is never seen.
  package let lengths: [Double]
  package let stretches: [HeldStretch]

  package init(person: Int, lengths: [Double], stretches: [HeldStretch]) {
    self.person = person
    self.lengths = lengths
    self.stretches = stretches
  }

  package var frames: Int { stretches.reduce(0) { $0 + $1.frames } }
}

package struct HeldStretch: Codable, Hashable, Sendable {
  package let posture: Posture?
  package let isLabeled: Bool
  package let form: FormClass?
  /// The direction from the body to the camera, as in `CameraParameters.azimuth`.
  package let azimuthDegrees: Double
  /// The distance of the hips from the line from shoulders to ankles, divided by body height;
  /// negative is sag.
  ///
  /// It is the offset of the studio's body that looks most like the stretch, and 0 if the stretch
  /// is not a plank.
  package let hipOffset: Double
  /// The median unit directions of bones in the studio's world: x, y and z by `Bone`; zeros for a
  /// bone that is never seen.
  ///
  /// In that world, y is up, and the head of a lying body is along +z.
  package let directions: [Double]
  package let intervals: [Double]
  /// Differences from the median unit directions, and logarithms of relative lengths, in units of
  /// 0.0001.
  ///
  /// They are ordered by frame and bone. Directions are in the axes of a level camera (x right, y
  /// up, z toward the camera).
  package let residuals: [Int16]
  package let missing: [MissingRun]

  package var frames: Int { intervals.count + 1 }

  package struct MissingRun: Codable, Hashable, Sendable {
    package let joint: Int
    package let first: Int
    package let count: Int
  }

  private enum CodingKeys: String, CodingKey {
    case posture, form, directions, residuals, missing
    case isLabeled = "labeled"
    case azimuthDegrees = "azimuth_deg"
    case hipOffset = "hip_offset"
    case intervals = "intervals_s"
  }

  static let channels = 4
  static let step = 1e-4
}

extension Posture: Codable {}

// MARK: - Checking

package struct ErrorBankError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}

extension ErrorBank {
  package func validate() throws {
    guard !recordings.isEmpty else { throw ErrorBankError(description: "`recordings` is empty") }
    let frames = recordings.reduce(0) { $0 + $1.frames }
    guard frames <= Self.mostFrames else {
      throw ErrorBankError(description: "has \(frames) frames; allowed: up to \(Self.mostFrames)")
    }
    for (index, recording) in recordings.enumerated() {
      try recording.validate("recordings[\(index)]")
    }
  }
}

extension RecordedErrors {
  fileprivate func validate(_ place: String) throws {
    guard person >= 0, lengths.count == Bone.count, lengths.allSatisfy({ (0...1).contains($0) })
    else {
      throw ErrorBankError(
        description: "\(place): needs a person of 0 or more and \(Bone.count) lengths of 0 to 1")
    }
    guard !stretches.isEmpty else {
      throw ErrorBankError(description: "\(place).stretches is empty")
    }
    for (index, stretch) in stretches.enumerated() {
      try stretch.validate("\(place).stretches[\(index)]")
    }
  }
}

extension HeldStretch {
  fileprivate func validate(_ place: String) throws {
    func check(_ holds: Bool, _ rule: String) throws {
      guard holds else { throw ErrorBankError(description: "\(place): \(rule)") }
    }
    try check(
      !intervals.isEmpty && intervals.allSatisfy { (1e-3...60).contains($0) },
      "needs intervals_s of 0.001 to 60 s")
    try check(
      residuals.count == frames * Bone.count * Self.channels,
      "needs \(frames * Bone.count * Self.channels) residuals, "
        + "\(Bone.count * Self.channels) per frame")
    try check(
      directions.count == 3 * Bone.count && directions.allSatisfy { (-1.001...1.001).contains($0) },
      "needs \(3 * Bone.count) directions of -1 to 1")
    try check((0...360).contains(azimuthDegrees), "azimuth_deg must be 0 to 360")
    try check((-0.2...0.2).contains(hipOffset), "hip_offset must be -0.2 to 0.2")
    for run in missing {
      try check(
        (-1..<JointPositions.count).contains(run.joint) && run.count > 0
          && (0...frames - 1).contains(run.first) && run.count <= frames - run.first,
        "a run of missing joints is outside the stretch")
    }
  }
}

// MARK: - What a bank says

extension ErrorBank {
  package struct Summary: Codable, Hashable, Sendable {
    package let recordings: Int
    package let people: Int
    package let stretches: Int
    package let frames: Int
    package let postures: [PostureCount]
    package let rate: Hertz
    package let withoutPose: Double
    package let bones: [BoneErrors]

    private enum CodingKeys: String, CodingKey {
      case recordings, people, stretches, frames, postures, bones
      case rate = "rate_hz"
      case withoutPose = "without_pose"
    }
  }

  package struct PostureCount: Codable, Hashable, Sendable {
    package let posture: Posture?
    package let stretches: Int
  }

  package struct BoneErrors: Codable, Hashable, Sendable {
    package let joint: String
    /// The constant turn away from the studio's body, in degrees; nil if no posture is known.
    package let bias: Double?
    /// The turn across the view, averaged over a second, in degrees.
    package let slowAcross: Double
    /// The turn in depth, averaged over a second, in degrees.
    package let slowDepth: Double
    /// The turn across the view after subtracting its average over a second, in degrees.
    package let fastAcross: Double
    package let fastDepth: Double
    package let length: Double
    package let missing: Double

    private enum CodingKeys: String, CodingKey {
      case joint, length, missing
      case bias = "bias_deg"
      case slowAcross = "slow_across_deg"
      case slowDepth = "slow_depth_deg"
      case fastAcross = "fast_across_deg"
      case fastDepth = "fast_depth_deg"
    }
  }

  package var summary: Summary {
    let stretches = recordings.flatMap(\.stretches)
    let frames = stretches.reduce(0) { $0 + $1.frames }
    var counts: [Posture?: Int] = [:]
    for stretch in stretches { counts[stretch.posture, default: 0] += 1 }
    let order = counts.sorted {
      ($1.value, $0.key?.rawValue ?? "~") < ($0.value, $1.key?.rawValue ?? "~")
    }
    let rates = recordings.compactMap(\.rate).sorted()
    let lost = stretches.reduce(0) {
      $0 + $1.missing.filter { $0.joint < 0 }.reduce(0) { $0 + $1.count }
    }
    return Summary(
      recordings: recordings.count, people: Set(recordings.map(\.person)).count,
      stretches: stretches.count, frames: frames,
      postures: order.map { PostureCount(posture: $0.key, stretches: $0.value) },
      rate: Hertz(rates.isEmpty ? 0 : rates[rates.count / 2]),
      withoutPose: frames == 0 ? 0 : Double(lost) / Double(frames), bones: boneErrors(stretches))
  }

  private func boneErrors(_ stretches: [HeldStretch]) -> [BoneErrors] {
    var sums = Array(repeating: BoneSums(), count: Bone.count)
    for stretch in stretches {
      let biases = Donor(stretch, isMirrored: false).bias
      for bone in Bone.allCases {
        sums[bone.rawValue].add(stretch, bone, bias: biases?[bone.rawValue])
      }
    }
    return Bone.allCases.map { sums[$0.rawValue].errors(of: $0) }
  }
}

extension RecordedErrors {
  var rate: Double? {
    let intervals = stretches.flatMap(\.intervals).sorted()
    return intervals.isEmpty ? nil : 1 / intervals[intervals.count / 2]
  }
}

private struct BoneSums {
  private var biases: [Double] = []
  private var (slowAcross, slowDepth, fastAcross, fastDepth, length) = (0.0, 0.0, 0.0, 0.0, 0.0)
  private var (seen, missing) = (0, 0)

  mutating func add(_ stretch: HeldStretch, _ bone: Bone, bias: Vector3?) {
    let child = bone.child.index
    let lost = stretch.missing.filter { $0.joint == child }.reduce(0) { $0 + $1.count }
    missing += lost
    guard lost < stretch.frames else { return }
    if let bias { biases.append(bias.norm * 180 / Double.pi) }
    let half = max(1, Int((Double(stretch.frames) / stretch.duration / 2).rounded()))
    var window = (0..<min(half, stretch.frames)).reduce(Vector3.zero) {
      $0 + stretch.turn(bone, at: $1)
    }
    var (low, high) = (0, min(half, stretch.frames))
    for frame in 0..<stretch.frames {
      if frame + half < stretch.frames {
        window = window + stretch.turn(bone, at: frame + half)
        high = frame + half + 1
      }
      if frame - half > low {
        window = window - stretch.turn(bone, at: low)
        low += 1
      }
      let slow = window / Double(max(1, high - low))
      let fast = stretch.turn(bone, at: frame) - slow
      slowAcross += slow.x * slow.x + slow.y * slow.y
      slowDepth += slow.z * slow.z
      fastAcross += fast.x * fast.x + fast.y * fast.y
      fastDepth += fast.z * fast.z
      let ratio = stretch.lengthening(bone, at: frame)
      length += ratio * ratio
    }
    seen += stretch.frames
  }

  func errors(of bone: Bone) -> ErrorBank.BoneErrors {
    func degrees(_ sum: Double) -> Double {
      seen == 0 ? 0 : (sum / Double(seen)).squareRoot() * 180 / Double.pi
    }
    let squares = biases.reduce(0) { $0 + $1 * $1 }
    return ErrorBank.BoneErrors(
      joint: bone.child.name,
      bias: biases.isEmpty ? nil : (squares / Double(biases.count)).squareRoot(),
      slowAcross: degrees(slowAcross), slowDepth: degrees(slowDepth),
      fastAcross: degrees(fastAcross), fastDepth: degrees(fastDepth),
      length: seen == 0 ? 0 : (length / Double(seen)).squareRoot(),
      missing: seen + missing == 0 ? 0 : Double(missing) / Double(seen + missing))
  }
}

extension HeldStretch {
  var duration: Double { intervals.reduce(0, +) }

  func turn(_ bone: Bone, at frame: Int) -> Vector3 {
    let start = (frame * Bone.count + bone.rawValue) * Self.channels
    return Vector3(
      Double(residuals[start]), Double(residuals[start + 1]), Double(residuals[start + 2]))
      * Self.step
  }

  func lengthening(_ bone: Bone, at frame: Int) -> Double {
    Double(residuals[(frame * Bone.count + bone.rawValue) * Self.channels + 3]) * Self.step
  }

  func direction(_ bone: Bone) -> Vector3? {
    let start = 3 * bone.rawValue
    let direction = Vector3(directions[start], directions[start + 1], directions[start + 2])
    return direction.norm > 0.5 ? direction.unit() : nil
  }
}
