import PoseModel
import PoseRecording

/// Objects that are tables of a known build: their frames are not one list of objects.
enum JSONShape: Sendable {
  /// pandas' `split`: the names of the columns once, and rows without names.
  case split(names: [String])
  /// pandas' default: an object per column, with a value per row.
  case indexedColumns
  /// COCO's annotation files: images and people apart, joined by the number of the image.
  case images

  static let annotationsKey = "annotations"
  static let imagesKey = "images"

  init?(_ text: JSONText) throws {
    guard let root = text.roots.first, text.roots.count == 1 else { return nil }
    let members = try text.members(of: root)
    func member(_ key: String) -> TableElement? { members.first { $0.0 == key }?.1 }
    if let columns = member("columns"), let data = member("data"),
      let rows = try text.elements(of: data), let first = rows.first,
      let count = try text.elements(of: first)?.count,
      let names = Self.names(try text.node(columns)), names.count == count
    {
      self = .split(names: names)
    } else if let images = member(Self.imagesKey), let people = member(Self.annotationsKey),
      try text.firstKeys(of: images).contains("id"),
      try text.firstKeys(of: people).isSuperset(of: ["image_id", "keypoints"])
    {
      self = .images
    } else if try Self.areIndexed(members, text) {
      self = .indexedColumns
    } else {
      return nil
    }
  }

  var layout: PoseTable.Layout {
    var layout = PoseTable.Layout()
    switch self {
    case .split: layout.frames = FieldPath([.key("data")])
    case .images: layout.frames = FieldPath([.key(Self.imagesKey)])
    case .indexedColumns: layout.kind = .columns
    }
    return layout
  }

  var remark: TableRemark {
    switch self {
    case .split:
      TableRemark(finding: "named by the list `columns`", evidence: "as pandas' `split` has them")
    case .indexedColumns:
      TableRemark(
        finding: "one object per column", evidence: "as pandas writes tables unless told otherwise")
    case .images:
      TableRemark(
        finding: "people stand under `annotations` of their image, as COCO numbers it",
        evidence: "`image_id` of the annotations is `id` of the images")
    }
  }

  /// Names of several levels, such as `["left_hip", "x"]`, become one.
  static func name(_ node: JSONNode) -> String? {
    switch (PrintedValue.node(node.text ?? "", line: 1) ?? node).content {
    case .list(let levels):
      let words = levels.compactMap(\.text)
      return words.count == levels.count ? words.joined(separator: "_") : nil
    default: return node.text
    }
  }

  private static func names(_ node: JSONNode) -> [String]? {
    guard case .list(let nodes) = node.content, nodes.count > 1 else { return nil }
    let names = nodes.compactMap(name)
    return names.count == nodes.count && Set(names).count == names.count ? names : nil
  }

  private static func areIndexed(
    _ members: [(String, TableElement)], _ text: JSONText
  ) throws -> Bool {
    guard members.count > 1, members.contains(where: { Int($0.0) == nil }) else { return false }
    var first: [String] = []
    for (_, member) in members {
      let keys = try text.members(of: member).map(\.0)
      guard keys.count > 1, first.isEmpty || keys == first else { return false }
      if first.isEmpty, !keys.allSatisfy({ Double(decimal: $0) != nil }) { return false }
      first = keys
    }
    return true
  }
}

extension JSONText {
  /// The keys of the first object of a list.
  fileprivate func firstKeys(of list: TableElement) throws -> Set<String> {
    guard let first = try elements(of: list)?.first else { return [] }
    return Set(try members(of: first).map(\.0))
  }

  /// Every image with the people that were annotated in it.
  func annotatedImages(skip: Int) throws -> [TableFrame] {
    guard let root = roots.first else { return [] }
    let members = try members(of: root)
    func list(_ key: String) throws -> [TableElement] {
      try members.first { $0.0 == key }.flatMap { try elements(of: $0.1) } ?? []
    }
    var people: [String: [TableElement]] = [:]
    for person in try list(JSONShape.annotationsKey) {
      guard let image = try node(person)["image_id"]?.text else { continue }
      people[image, default: []].append(person)
    }
    let images = try Array(list(JSONShape.imagesKey).dropFirst(skip))
    let nodes = try images.map { try node($0) }
    return ImageOrder(nodes).places.map { place in
      .image(images[place], people: nodes[place]["id"]?.text.flatMap { people[$0] } ?? [])
    }
  }

  func image(_ image: TableElement, people: [TableElement]) throws -> JSONNode {
    let node = try node(image)
    guard case .object(var keys, var values) = node.content else { return node }
    if let place = keys.firstIndex(of: JSONShape.annotationsKey) {
      keys.remove(at: place)
      values.remove(at: place)
    }
    var list: [JSONNode] = []
    for person in people { list.append(try frame(person)) }
    return JSONNode(
      .object(
        keys: keys + [JSONShape.annotationsKey],
        values: values + [JSONNode(.list(list), line: node.line)]), line: node.line)
  }
}
