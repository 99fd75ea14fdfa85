import PoseModel
import PoseRecording

extension TableExamination {
  struct Fact {
    let name: String
    let path: FieldPath
    let node: JSONNode
    let isOfFrame: Bool
  }

  static func facts(in node: JSONNode, isOfFrame: Bool) -> [Fact] {
    FieldSearch(node).scalars.map {
      let name = $0.path.lastKey.lowercased().filter { $0.isLetter || $0.isNumber }
      return Fact(name: name, path: $0.path, node: $0.node, isOfFrame: isOfFrame)
    }
  }

  mutating func examineSurroundings(_ fields: FieldSearch) {
    for fact in facts {
      if ["subject", "person", "user", "athlete", "participant", "username"].contains(fact.name),
        case .text(let text) = fact.node.content, !text.isEmpty, !fact.isOfFrame,
        diagnosis.subject == nil
      {
        diagnosis.subject = text
        diagnosis.conclude("person", text, .likely, "`\(fact.path.text)` says so")
      }
      examineHeight(fact)
    }
    examineImageSize()
    examineMirror()
  }

  private mutating func examineHeight(_ fact: Fact) {
    let names = [
      "bodyheight", "bodyheightm", "userheight", "heightm", "personheight", "bodyheightcm",
      "heightcm",
    ]
    guard names.contains(fact.name), let number = fact.node.number, number > 0 else { return }
    let isMeters = (0.5...2.6).contains(number)
    guard isMeters || (50...260).contains(number) else { return }
    if fact.isOfFrame, isMeters {
      map.bodyHeightField = fact.path
    } else {
      map.bodyHeight = isMeters ? number : number / 100
    }
    diagnosis.conclude(
      "height", "\(isMeters ? number : number / 100) m", isMeters ? .sure : .likely,
      "`\(fact.path.text)` says so")
  }

  mutating func examineLabels(_ fields: FieldSearch) {
    let names = [
      "label", "class", "pose", "exercise", "plank", "annotation", "activity", "state", "phase",
    ]
    for (path, node) in fields.scalars where names.contains(path.lastKey.lowercased()) {
      guard case .text = node.content else { continue }
      var reader = FieldReader(path)
      let values = Set(samples.compactMap { reader.field(of: $0)?.text })
      guard (1...30).contains(values.count) else { continue }
      var classes: [String: String] = [:]
      for value in values where (try? LabelTarget(value)) != nil { classes[value] = value }
      let unknown = values.subtracting(classes.keys).sorted()
      if !unknown.isEmpty {
        for label in unknown + ["*"] { classes[label] = "ignore" }
        diagnosis.warn(
          "labels without a class: " + unknown.map { "`\($0.prefix(40))`" }.joined(separator: ", "),
          "they are ignored unless you say what they mean, as in --label "
            + "\(unknown[0].prefix(40))=forearm/aligned")
      }
      map.labels = TableMap.Labels(field: path, classes: classes)
      diagnosis.conclude(
        "labels", "`\(path.text)`: \(values.sorted().prefix(6).joined(separator: ", "))", .likely,
        "few different texts")
      return
    }
  }
}
