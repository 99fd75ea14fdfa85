import PoseModel
import PoseRecording

// Points whose coordinates stand in lists of their own: all x, then all y.
extension FieldSearch {
  private static let fewestInBlock = 5
  private static let blockKeys: [[String]] = [
    ["x", "xs", "x_coords", "px", "posx", "x_list", "kx"],
    ["y", "ys", "y_coords", "py", "posy", "y_list", "ky"],
    ["z", "zs", "z_coords", "pz", "posz", "z_list", "kz"],
    [
      "visible", "visibility", "confidence", "confidences", "conf", "score", "scores", "likelihood",
      "c", "v", "s", "p", "prob", "probability", "presence",
    ],
  ]

  /// `{x: [...], y: [...], confidence: [...]}`; returns the keys that are these lists.
  mutating func addBlocks(
    _ keys: [String], _ values: [JSONNode], _ path: FieldPath, _ family: String
  ) -> Set<String> {
    var found: [(axis: Int, key: String)] = []
    var count = 0
    for (axis, words) in Self.blockKeys.enumerated() {
      let match = words.lazy.compactMap { word -> (key: String, count: Int)? in
        guard let place = keys.firstIndex(where: { $0.lowercased() == word }),
          let size = Self.countOfNumbers(values[place])
        else { return nil }
        return (keys[place], size)
      }.first { count == 0 || $0.count == count }
      guard let match else {
        if axis < 2 { return [] }
        continue
      }
      count = match.count
      found.append((axis, match.key))
    }
    guard found.contains(where: { $0.axis == 1 }) else { return [] }
    let dimension = found.count { $0.axis < 3 }
    let hasConfidence = found.contains { $0.axis == 3 }
    addBlock(
      found.map { path.appending(.key($0.key)) }, count, dimension, ["x", "y", "z"], hasConfidence,
      family + "." + found.map(\.key).joined(separator: ", "))
    return Set(found.map(\.key))
  }

  /// `[[x, x, ...], [y, y, ...]]`, with a third list and a fourth.
  mutating func addBlocks(
    _ elements: [JSONNode], _ path: FieldPath, _ family: String
  ) -> Bool {
    guard (2...4).contains(elements.count), let count = Self.countOfNumbers(elements[0]),
      elements.allSatisfy({ Self.countOfNumbers($0) == count })
    else { return false }
    addBlock(
      elements.indices.map { path.appending(.element($0)) }, count, min(3, elements.count), [],
      elements.count == 4, family + "[x, y]")
    return true
  }

  private mutating func addBlock(
    _ lists: [FieldPath], _ count: Int, _ dimension: Int, _ coordinates: [String],
    _ hasConfidence: Bool, _ family: String
  ) {
    for index in 0..<count {
      add(
        PointCandidate(
          place: .fields(lists.map { $0.appending(.element(index)) }), label: .index(index),
          family: family, size: dimension, coordinates: Array(coordinates.prefix(dimension)),
          confidence: hasConfidence ? FieldPath() : nil))
    }
  }

  private static func countOfNumbers(_ node: JSONNode) -> Int? {
    guard case .list(let elements) = node.content, (fewestInBlock...400).contains(elements.count),
      elements.allSatisfy({ $0.isEmpty || $0.number != nil }),
      elements.contains(where: { $0.number != nil })
    else { return nil }
    return elements.count
  }

  /// A row of numbers with a few texts around, such as the name of an image and a label.
  static func numbersBetweenTexts(_ elements: [JSONNode], _ path: FieldPath) -> NumberList? {
    let skip = elements.prefix { $0.number == nil && $0.isScalar }.count
    let rest = elements.dropFirst(skip)
    let numbers = rest.prefix { $0.isEmpty || $0.number != nil }
    let texts = elements.count - numbers.count
    guard texts <= 4, numbers.count >= 12, rest.dropFirst(numbers.count).allSatisfy(\.isScalar)
    else { return nil }
    return NumberList(path: path, count: numbers.count, skip: skip)
  }

  /// The numbers at the end of keys that differ in nothing else, such as `kp_0` and `kp_16`.
  static func numbered(_ keys: [String]) -> [String: Int] {
    guard keys.count > fewestInBlock else { return [:] }
    var groups: [String: [(key: String, number: Int)]] = [:]
    for key in keys {
      let digits = key.reversed().prefix { $0.isASCII && $0.isNumber }.count
      guard digits > 0, digits < 4, let number = Int(key.suffix(digits)) else { continue }
      groups[String(key.dropLast(digits)), default: []].append((key, number))
    }
    guard let largest = groups.values.max(by: { $0.count < $1.count }),
      largest.count > fewestInBlock
    else { return [:] }
    return Dictionary(largest.map { ($0.key, $0.number) }) { first, _ in first }
  }
}

extension JSONNode {
  fileprivate var isScalar: Bool {
    switch content {
    case .list, .object: false
    default: true
    }
  }
}
