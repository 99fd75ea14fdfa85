import PoseModel

/// Where rigs have both `arm` and `shoulder`, the arm begins at the shoulder joint, and the
/// shoulder is the collar bone; there, hips are the body's root.
struct JointNames {
  private let joints: [String: Joint]

  init(_ labels: some Sequence<String>) {
    let names = labels.sorted().map { (label: $0, name: Name($0)) }
    let isRig =
      names.contains { ["upleg", "forearm", "thigh"].contains($0.name.part) }
      && names.contains { ["arm", "upperarm"].contains($0.name.part) }
    var found: [Joint: (rank: Int, labels: [String])] = [:]
    for (label, name) in names {
      guard let (joint, rank) = name.joint(isRig: isRig) else { continue }
      if let known = found[joint], known.rank <= rank {
        if known.rank == rank { found[joint]?.labels.append(label) }
      } else {
        found[joint] = (rank, [label])
      }
    }
    var joints: [String: Joint] = [:]
    // Of `spine_1_joint` to `spine_7_joint`, the middle one.
    for (joint, one) in found { joints[one.labels[(one.labels.count - 1) / 2]] = joint }
    self.joints = joints
  }

  subscript(label: String) -> Joint? { joints[label] }

  var found: Set<Joint> { Set(joints.values) }

  static func isJoint(_ label: String) -> Bool { Name(label).joint(isRig: false) != nil }

  /// The name of a joint and what stands in front of it, such as the name of a person; everything is
  /// the name where no joint is behind.
  static func split(_ label: String) -> (prefix: String, name: String) {
    guard label.utf8.count < 120, !isJoint(label) else { return ("", label) }
    var start = label.startIndex
    while let cut = label[start...].firstIndex(where: { "./:|_ -".contains($0) }) {
      start = label.index(after: cut)
      let name = label[start...]
      if name.first?.isLetter ?? false, isJoint(String(name)) {
        return (String(label[..<start]), String(name))
      }
    }
    return ("", label)
  }
}

private struct Name {
  private(set) var side = ""
  private(set) var part = ""

  private static let noise: Set<String> = [
    "human", "d", "joint", "mixamorig", "bip", "pos", "position", "landmark", "body", "world",
    "point",
    "keypoint", "kp", "j", "base", "jnt", "def", "bone",
  ]
  private static let sides = ["left": "left", "l": "left", "right": "right", "r": "right"]

  /// What Swift prints around a name: `JointName(rawValue: left_hip_1_joint)`.
  private static func rawValue(of label: String) -> String {
    guard let mark = label.ranges(of: "rawValue: ").last else { return label }
    return String(label[mark.upperBound...].prefix { $0 != ")" })
  }

  init(_ label: String) {
    var rest: [String] = []
    for word in Self.words(Self.rawValue(of: label)) {
      if side.isEmpty, let known = Self.sides[word] {
        side = known
      } else if !Self.noise.contains(word) {
        rest.append(word)
      }
    }
    part = rest.joined()
    guard side.isEmpty else { return }
    // `leftwrist`, `lwrist` and `wristleft`, which nothing separates.
    for (mark, known) in [("left", "left"), ("right", "right"), ("l", "left"), ("r", "right")] {
      for stripped in [
        part.hasPrefix(mark) ? part.dropFirst(mark.count) : nil,
        part.hasSuffix(mark) ? part.dropLast(mark.count) : nil,
      ] {
        guard let stripped, Self.limbRanks[String(stripped)] != nil else { continue }
        side = known
        part = String(stripped)
        return
      }
    }
  }

  private static func words(_ label: String) -> [String] {
    var words: [String] = []
    var word = ""
    var previous: Character = " "
    func isLower(_ character: Character) -> Bool { character.isLowercase }
    let characters = Array(label.prefix(80))
    for (index, character) in characters.enumerated() {
      let isLetter = character.isLetter && character.isASCII
      let next = index + 1 < characters.count ? characters[index + 1] : " "
      let begins = isLetter && character.isUppercase && (isLower(previous) || isLower(next))
      if !isLetter || begins, !word.isEmpty {
        words.append(word.lowercased())
        word = ""
      }
      if isLetter { word.append(character) }
      previous = character
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }

  private static let limbRanks: [String: (part: String, rank: Int)] = [
    "shoulder": ("Shoulder", 1), "upperarm": ("Shoulder", 2), "arm": ("Shoulder", 3),
    "uparm": ("Shoulder", 2), "elbow": ("Elbow", 0), "forearm": ("Elbow", 1),
    "lowerarm": ("Elbow", 1), "wrist": ("Wrist", 0), "hand": ("Wrist", 1), "hip": ("Hip", 0),
    "upleg": ("Hip", 1), "upperleg": ("Hip", 1), "thigh": ("Hip", 1), "knee": ("Knee", 0),
    "leg": ("Knee", 2), "shin": ("Knee", 1), "calf": ("Knee", 1), "lowerleg": ("Knee", 1),
    "ankle": ("Ankle", 0), "foot": ("Ankle", 1), "eye": ("Eye", 0), "ear": ("Ear", 0),
  ]
  private static let middles: [String: (joint: Joint, rank: Int)] = [
    "root": (.root, 0), "pelvis": (.root, 0), "hips": (.root, 1), "midhip": (.root, 0),
    "hip": (.root, 2), "hipcenter": (.root, 0), "centerhip": (.root, 0), "hipmid": (.root, 0),
    "spine": (.spine, 0), "midspine": (.spine, 0), "spinemid": (.spine, 0), "torso": (.spine, 1),
    "centershoulder": (.centerShoulder, 0), "midshoulder": (.centerShoulder, 0),
    "shouldercenter": (.centerShoulder, 0), "spineshoulder": (.centerShoulder, 1),
    "centerhead": (.centerHead, 0), "head": (.centerHead, 1), "headcenter": (.centerHead, 0),
    "tophead": (.topHead, 0), "headtop": (.topHead, 0), "headend": (.topHead, 1),
    "nose": (.nose, 0), "neck": (.neck, 0),
  ]

  func joint(isRig: Bool) -> (Joint, Int)? {
    if side.isEmpty {
      // A rig hangs on its root, which may be on the ground.
      let rank = isRig && part == "root" ? 3 : nil
      return Self.middles[part].map { ($0.joint, rank ?? $0.rank) }
    }
    guard let (limb, usualRank) = Self.limbRanks[part] else { return nil }
    let rank = isRig && (part == "arm" || part == "upperarm") ? 0 : usualRank
    return Joint(name: side + limb).map { ($0, rank) }
  }
}
