import PoseModel

/// What speaks for a direction being up: arms below shoulders, people who stand along it, and
/// people who plank across it.
struct UprightSigns {
  struct Candidate {
    let axis: TableMap.Axis
    /// The mean cosine between it and the way from elbows to shoulders.
    var arms = 0.0
    /// Shares of the frames with arms.
    var standing = 0.0
    var planks = 0.0
    var fours = 0.0
    /// Frames in which hips and shoulders are clearly above hands, elbows, knees or feet.
    var carried = 0.0
  }

  let candidates: [Candidate]
  let frames: Int

  init(_ signs: BodySigns, among axes: [TableMap.Axis]) {
    let bodies = signs.frames.compactMap { Body($0) }
    let lengths = signs.frames.compactMap { BodyPose(limbs: $0).trunkAndLegLength }
    let height = (lengths.median ?? 0) / ReferenceBody.trunkAndLegShare
    let count = Double(max(bodies.count, 1))
    frames = bodies.count
    candidates = axes.map { axis in
      var one = Candidate(axis: axis)
      for body in bodies { body.add(to: &one, along: axis.vector, height: height) }
      one.arms /= count
      one.standing /= count
      one.planks /= count
      one.fours /= count
      one.carried /= count
      return one
    }
  }

  private struct Body {
    let frame: [Joint: Vector3]
    let arms: Vector3
    let trunk: Vector3?
    let isStraight: Bool

    init?(_ frame: [Joint: Vector3]) {
      guard let arms = BodySigns.arms(frame) else { return nil }
      self.frame = frame
      self.arms = arms
      let body = BodyPose(limbs: frame).positions
      guard let shoulders = body[.centerShoulder], let hips = body[.root], shoulders != hips else {
        (trunk, isStraight) = (nil, false)
        return
      }
      let trunk = shoulders - hips
      self.trunk = trunk / trunk.norm
      guard let left = frame[.leftKnee], let right = frame[.rightKnee] else {
        isStraight = false
        return
      }
      let thigh = hips - left.midpoint(right)
      // Hips are bent by less than 50 degrees.
      isStraight = thigh.norm > 0 && thigh.dot(trunk) / thigh.norm / trunk.norm > 0.64
    }

    func add(to candidate: inout Candidate, along up: Vector3, height: Double) {
      let cosine = arms.dot(up)
      candidate.arms += cosine
      func heights(_ joints: [Joint]) -> [Double] { joints.compactMap { frame[$0]?.dot(up) } }
      let shoulders = heights([.leftShoulder, .rightShoulder])
      let hips = heights([.leftHip, .rightHip])
      guard height > 0, let trunk, let feet = heights([.leftAnkle, .rightAnkle]).min(),
        let hands = heights([.leftWrist, .rightWrist, .leftElbow, .rightElbow]).min(),
        let knees = heights([.leftKnee, .rightKnee]).min(), let shoulder = shoulders.mean,
        let hip = hips.mean, let core = (shoulders + hips).min()
      else { return }
      let legs = min(feet, knees)
      if core - min(hands, legs) > 0.05 * height { candidate.carried += 1 }
      guard cosine > 0.5 else { return }
      if trunk.dot(up) > 0.6 {
        if shoulder - legs > 0.3 * height { candidate.standing += 1 }
      } else if trunk.dot(up) > -0.6, shoulder - hands > 0.1 * height {
        if (hands - feet).magnitude < 0.2 * height, isStraight {
          candidate.planks += 1
        } else if (hands - legs).magnitude < 0.2 * height, hip - legs > 0.1 * height {
          candidate.fours += 1
        }
      }
    }
  }
}

/// The choice of the vertical axis from signs.
struct UprightChoice {
  let best: UprightSigns.Candidate
  let others: [UprightSigns.Candidate]
  let isSure: Bool
  let isClear: Bool

  /// `usual` are the axes that files of the kind have up, the likeliest first.
  ///
  /// A direction is sure if two signs agree: the poses, which a person who lies can pretend, and
  /// either what is usual or poses of two kinds, standing and carried by hands and feet.
  ///
  /// Where nothing is sure, the axis that the convention of the file's kind has up comes first; only
  /// planks, which nobody who lies looks like, speak against it.
  init?(_ signs: UprightSigns, usual: [TableMap.Axis], convention: TableMap.Axis? = nil) {
    func score(_ one: UprightSigns.Candidate) -> Double {
      one.arms + 2 * one.planks + 0.4 * one.fours + (usual.contains(one.axis) ? 0.8 : 0)
    }
    func isBefore(_ a: UprightSigns.Candidate, _ b: UprightSigns.Candidate) -> Bool {
      if score(a) != score(b) { return score(a) > score(b) }
      return (usual.firstIndex(of: a.axis) ?? 9) < (usual.firstIndex(of: b.axis) ?? 9)
    }
    let sorted = signs.candidates.sorted(by: isBefore)
    guard let best = sorted.first else { return nil }
    let rest = sorted.dropFirst()
    let nextArms = rest.map(\.arms).max() ?? 0
    let otherPlanks = rest.map(\.planks).max() ?? 0
    let isClear = best.arms >= 0.5 && best.arms >= nextArms + 0.2
    let isSure: Bool
    let isEnough = signs.frames >= BodySurvey.fewestPoses
    let planks = best.planks >= 0.5 && otherPlanks < best.planks / 4 && best.arms > 0.3
    if usual.contains(best.axis) {
      let kinds = best.standing >= 0.1 || best.planks >= 0.2 || best.standing + best.planks >= 0.15
      let carries = usual.count == 1 && best.carried > 0.5
      isSure =
        isEnough
        && (planks
          || otherPlanks < 0.2
            && (isClear && (kinds || carries) || best.standing >= 0.5 && best.arms >= nextArms))
    } else {
      isSure =
        isEnough && isClear && otherPlanks < 0.2 && best.planks >= 0.1 && best.standing >= 0.1
    }
    let usualOne = sorted.first { $0.axis == convention }
    let first = isSure || best.planks >= 0.1 ? best : usualOne ?? best
    self.best = first
    self.isSure = isSure
    self.isClear = isClear && first.axis == best.axis
    let others = sorted.filter { $0.axis != first.axis }
    self.others = Array(
      (others.filter { usual.contains($0.axis) } + others.filter { !usual.contains($0.axis) })
        .prefix(2))
  }

  var evidence: String {
    func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
    var parts = [
      "elbows are below shoulders along it: a mean cosine of \(TableExamination.short(best.arms))"
    ]
    if best.standing > 0 {
      parts.append("people stand along it in \(percent(best.standing)) of the frames")
    }
    if best.planks > 0 { parts.append("they plank across it in \(percent(best.planks))") }
    return parts.joined(separator: ", ")
  }
}

extension Array where Element == Double {
  fileprivate var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}

extension TableMap.Axis {
  var vector: Vector3 {
    let length = isNegative ? -1.0 : 1
    return switch index {
    case 0: Vector3(length, 0, 0)
    case 1: Vector3(0, length, 0)
    default: Vector3(0, 0, length)
    }
  }

  static let everyDirection = (0..<3).flatMap { [Self($0), Self($0, isNegative: true)] }
}
