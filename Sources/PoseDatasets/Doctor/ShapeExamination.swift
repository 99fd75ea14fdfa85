import PoseModel
import PoseRecording

extension TableExamination {
  /// The size of bodies decides; headers of motion capture are often those of another unit.
  mutating func examineDeclaredUnit() {
    guard let declared = table.declaredUnit, let unit = TableMap.Units(rawValue: declared),
      unit != map.units
    else { return }
    diagnosis.warn(
      "the header says `\(declared)`, but the size of the body is that of positions in "
        + "\(map.units == .body ? "another unit" : map.units.rawValue)",
      "the size is believed; if the header is right, write `units: \(declared)` into the map")
  }
}

/// What was recognized of frames in which no joints were found.
struct UnreadShape {
  private var names: Set<String> = []
  private var example: (name: String, value: JSONNode)?
  private var listedNames = 0
  private var longest = 0

  init(_ samples: [JSONNode], _ surroundings: JSONNode) {
    for sample in samples.prefix(20) { visit(sample, depth: 0) }
    visit(surroundings, depth: 0)
  }

  private mutating func visit(_ node: JSONNode, depth: Int) {
    guard depth < 8 else { return }
    switch node.content {
    case .object(let keys, let values):
      for (key, value) in zip(keys, values) {
        let name = JointNames.split(key).name
        if JointNames.isJoint(name) {
          names.insert(key)
          if example == nil { example = (key, value) }
        }
        visit(value, depth: depth + 1)
      }
    case .list(let elements):
      let texts = elements.compactMap(\.ownText)
      if !texts.isEmpty, texts.allSatisfy(JointNames.isJoint) {
        listedNames = max(listedNames, texts.count)
      }
      longest = max(longest, elements.count { $0.number != nil })
      for element in elements.prefix(200) { visit(element, depth: depth + 1) }
    case .text(let text):
      if JointNames.isJoint(text) {
        names.insert(text)
        if example == nil { example = (text, node) }
      }
    default: break
    }
  }

  func words(otherwise fields: String) -> (found: String, remedy: String) {
    let hand =
      "write a map by hand (docs/contract.md), beginning with `planklab import maps mlkit`"
    if names.count > 5 || listedNames > 5 {
      let count = CountText.of(max(names.count, listedNames), "name")
      let shown = example.map { ", such as `\($0.name.prefix(60))` with \($0.value.summary)" } ?? ""
      return (
        "\(count) of joints were recognized\(shown), but no position beside them; " + fields,
        "save a joint as a list [x, y, z], as an object with x, y and z, or as columns such as "
          + "left_hip_x; or " + hand
      )
    }
    if !names.isEmpty {
      let list = names.sorted().prefix(6).map { "`\($0.prefix(40))`" }.joined(separator: ", ")
      return (
        "only \(list) \(names.count == 1 ? "was" : "were") recognized; " + fields,
        "shoulders, hips, knees and ankles are needed: save all joints of the detector"
      )
    }
    if longest > 11 {
      let counts = JointOrder.all.map { "\($0.count) (\($0.name))" }.joined(separator: ", ")
      return (
        "there are lists of \(CountText.of(longest, "number")), which no detector known here has; "
          + fields,
        "points without names are known by how many there are: \(counts), each with 2 to 4 numbers; "
          + "save them so, save names, or " + hand
      )
    }
    return (fields, "if these are poses, " + hand)
  }
}
