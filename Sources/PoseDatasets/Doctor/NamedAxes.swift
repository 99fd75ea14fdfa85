import PoseModel
import PoseRecording

/// What the names of joints and the types of vectors say about axes.
enum NamedAxes {
  /// Swift's SIMD types, VRM and glTF: y points up.
  case upright
  /// Unity: y points up, and axes are left-handed.
  case unity
  /// Unreal: z points up, and axes are left-handed.
  case unreal

  init?(_ joints: [Joint: TableMap.Place], _ table: PoseTable) {
    let limbs: [(joint: Joint, bone: String)] = [
      (.leftShoulder, "LeftUpperArm"), (.leftHip, "LeftUpperLeg"),
    ]
    let paths = limbs.map { joints[$0.joint]?.paths.first?.text ?? "" }
    let written = table.written
    if zip(paths, limbs).allSatisfy({ $0.contains($1.bone) }) || written?.isOfUnity ?? false {
      self = .unity
    } else if zip(paths, limbs).allSatisfy({ $0.lowercased().contains($1.bone.lowercased()) })
      || written?.isOfSwift ?? false
    {
      self = .upright
    } else if paths[0].contains("upperarm_l"), paths[1].contains("thigh_l") {
      self = .unreal
    } else {
      return nil
    }
  }

  var up: TableMap.Axis { TableMap.Axis(self == .unreal ? 2 : 1) }

  /// The program whose axes are left-handed; nil for right-handed axes.
  var leftHanded: String? {
    switch self {
    case .upright: nil
    case .unity: "Unity"
    case .unreal: "Unreal"
    }
  }
}

extension JSONNode {
  /// Whether Swift wrote a dictionary as a list, or printed vectors or matrices.
  fileprivate var isOfSwift: Bool {
    switch content {
    case .text(let text): text.contains("SIMD3<") || text.contains("simd_float")
    case .list(let elements):
      hasPairs || elements.prefix(3).contains(where: \.isOfSwift)
    case .object(_, let values): values.contains(where: \.isOfSwift)
    default: false
    }
  }

  private static let fewestVectors = 6

  /// Whether this row has names such as `LeftHip`, and points as Unity prints them, such as
  /// `(0.48, -0.10, 0.20)`, all with the same number of decimals.
  fileprivate var isOfUnity: Bool {
    guard case .object(let keys, let values) = content else { return false }
    var decimals: [Int] = []
    for (key, value) in zip(keys, values) {
      guard let text = value.ownText, text.hasPrefix("("), text.hasSuffix(")") else { continue }
      guard key.first?.isUppercase ?? false, !key.contains("_") else { return false }
      decimals += text.dropFirst().dropLast().split(separator: ",").map { number in
        number.firstIndex(of: ".").map { number[$0...].count - 1 } ?? 0
      }
    }
    return decimals.count >= 3 * Self.fewestVectors && Set(decimals).count == 1 && decimals[0] > 0
  }
}
