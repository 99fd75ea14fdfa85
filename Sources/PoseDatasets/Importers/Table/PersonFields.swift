import PoseModel
import PoseRecording

/// What the names of a person's fields have in common: `p1_*`, `*_1`, `*_1_*`, or `person1`, one
/// field with everything.
package struct PersonName: Hashable, Sendable {
  let name: String
  /// Whether something stands in front of the name, and behind it.
  let hasStart: Bool
  let hasEnd: Bool

  /// What a field is called that has a whole person, once its own name is taken away.
  static let wholeKey = "person"

  init(_ name: String, hasStart: Bool = false, hasEnd: Bool = false) {
    (self.name, self.hasStart, self.hasEnd) = (name, hasStart, hasEnd)
  }

  init?(text: String) {
    let start = text.hasPrefix("*") ? text.dropFirst() : text[...]
    let name = start.hasSuffix("*") ? start.dropLast() : start
    guard !name.isEmpty, !name.contains("*") else { return nil }
    self.init(String(name), hasStart: text.hasPrefix("*"), hasEnd: start.hasSuffix("*"))
  }

  var text: String { (hasStart ? "*" : "") + name + (hasEnd ? "*" : "") }

  /// The name of a field without the person; nil for a field that is not this person's.
  func field(_ key: String) -> String? {
    switch (hasStart, hasEnd) {
    case (false, false): return key == name ? Self.wholeKey : nil
    case (false, true):
      return key.hasPrefix(name) && key != name ? String(key.dropFirst(name.count)) : nil
    case (true, false):
      return key.hasSuffix(name) && key != name ? String(key.dropLast(name.count)) : nil
    case (true, true):
      guard let range = key.ranges(of: name).last, range.lowerBound > key.startIndex,
        range.upperBound < key.endIndex
      else { return nil }
      return key[..<range.lowerBound] + String(name.suffix(1)) + key[range.upperBound...]
    }
  }
}

/// Which fields of an object are whose.
struct PersonFields {
  let keys: [String]
  /// Fields that are nobody's.
  private let common: [Int]
  /// For every field of a person, where each person's is.
  private let own: [(key: String, places: [Int?])]
  private let count: Int

  init(_ keys: [String], _ names: [PersonName]) {
    self.keys = keys
    count = names.count
    var common: [Int] = []
    var own: [(key: String, places: [Int?])] = []
    var slots: [String: Int] = [:]
    for (place, key) in keys.enumerated() {
      let found = names.indices.lazy.compactMap { person in
        names[person].field(key).map { (person, $0) }
      }.first
      guard let (person, field) = found else {
        common.append(place)
        continue
      }
      let slot = slots[field] ?? own.count
      if slot == own.count {
        slots[field] = slot
        own.append((field, names.map { _ in nil }))
      }
      own[slot].places[person] = place
    }
    self.common = common.filter { slots[keys[$0]] == nil }
    self.own = own
  }

  /// The object without anybody, and one for each person of whom something is there.
  func split(_ values: [JSONNode], line: Int) -> (nobody: JSONNode, people: [JSONNode]) {
    func node(_ person: Int?) -> JSONNode {
      let fields = own.map { field in
        person.flatMap { field.places[$0] }.map { values[$0] } ?? JSONNode(.null, line: line)
      }
      return JSONNode(
        .object(
          keys: common.map { keys[$0] } + own.map(\.key),
          values: common.map { values[$0] } + fields), line: line)
    }
    let present = (0..<count).filter { person in
      own.contains { field in field.places[person].map { !values[$0].isVoid } ?? false }
    }
    return (node(nil), present.map { node($0) })
  }
}

extension JSONNode {
  /// Whether nothing is there: null, an empty text, or a list or an object of nothing.
  fileprivate var isVoid: Bool {
    switch content {
    case .list(let elements): elements.allSatisfy(\.isEmpty)
    case .object(_, let values): values.allSatisfy(\.isEmpty)
    default: isEmpty
    }
  }
}
