import PoseModel
import PoseRecording

struct UnreadShape {
  private var names: Set<String> = []
  private var example: (name: String, value: JSONNode)?
  private var listedNames = 0
  private var longest = 0
  private var points = 0

  init(_ samples: [JSONNode], _ surroundings: JSONNode) {
    for sample in samples.prefix(20) { visit(sample, depth: 0) }
    visit(surroundings, depth: 0)
  }

  private mutating func visit(_ node: JSONNode, depth: Int) {
    guard depth < 8 else { return }
    switch node.content {
    case .object(let keys, let values):
      for (key, value) in zip(keys, values) {
        let name = JointNames.split(FieldSearch.column(key)?.name ?? key).name
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
      points = max(points, elements.count { (2...4).contains($0.flatNumbers.count) })
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
    let hand = "write a map by hand (docs/contract.md), beginning with `planklab import maps mlkit`"
    if names.count > 5 || listedNames > 5 {
      let count = CountText.of(max(names.count, listedNames), "name")
      let shown = example.map { ", such as `\($0.name.prefix(60))` with \($0.value.summary)" } ?? ""
      return (
        "\(count) of joints were recognized\(shown), but no positions were found beside them; "
          + fields,
        "save a joint as a list [x, y, z], as an object with x, y and z, or as columns such as "
          + "left_hip_x; or " + hand
      )
    }
    if !names.isEmpty {
      let list = names.sorted().prefix(6).map { "`\($0.prefix(40))`" }.joined(separator: ", ")
      return (
        "only \(list) \(names.count == 1 ? "was" : "were") recognized; " + fields,
        "shoulders, hips, knees and ankles are needed, with English names or in the order of a "
          + "known detector: save all joints that way, or " + hand
      )
    }
    if max(longest, points) > 11 {
      let counts = JointOrder.all.map { "\($0.count) (\($0.name))" }.joined(separator: ", ")
      return (
        "there are lists of "
          + (longest > 11 ? CountText.of(longest, "number") : CountText.of(points, "point"))
          + " in no known order; "
          + fields,
        "unnamed points are recognized by how many there are: \(counts), each with 2 to 4 numbers; save "
          + "them that way, save names, or " + hand
      )
    }
    return (
      fields,
      "joints are recognized by English names, such as left_hip_x; if these are poses, name them "
        + "so, or " + hand
    )
  }
}
