import PoseRecording

/// Rows that belong to one frame, in the order of the frames.
struct RowGroups<Row> {
  private var places: [String: Int] = [:]
  private var groups: [(key: String, rows: [Row])] = []
  /// Whether rows of one frame are apart, as in a table that is sorted by people.
  private var isMixed = false

  mutating func add(_ row: Row, _ key: String) {
    if let place = places[key] {
      isMixed = isMixed || place != groups.count - 1
      groups[place].rows.append(row)
    } else {
      places[key] = groups.count
      groups.append((key, [row]))
    }
  }

  var sorted: [[Row]] {
    guard isMixed else { return groups.map(\.rows) }
    let numbers = groups.compactMap { Double(decimal: $0.key) }
    guard numbers.count == groups.count else {
      return groups.sorted { NaturalOrder.isBefore($0.key, $1.key) }.map(\.rows)
    }
    return zip(numbers, groups).sorted { $0.0 < $1.0 }.map(\.1.rows)
  }
}

/// Keys that number frames: `0`, `frame_12`, `453.jpg`, `t=0.033`.
enum FrameKeys {
  /// The order of the numbers in the keys; nil unless all keys differ in numbers only.
  static func order(of keys: [String]) -> [Int]? {
    guard let first = keys.first else { return nil }
    var numbers = keys.compactMap { Double(decimal: $0) }
    if numbers.count != keys.count {
      let shape = NaturalOrder.shape(first)
      let isPlain = shape != first && keys.allSatisfy { NaturalOrder.shape($0) == shape }
      guard keys.count > 1, isPlain, !JointNames.isJoint(first) else { return nil }
      numbers = keys.compactMap(number)
      guard numbers.count == keys.count else {
        return keys.indices.sorted { NaturalOrder.isBefore(keys[$0], keys[$1]) }
      }
    }
    return keys.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
  }

  /// The only number in a key, with its fraction.
  private static func number(_ key: String) -> Double? {
    let parts = key.split { !($0.isASCII && ($0.isNumber || $0 == ".")) }
      .map { $0.drop { $0 == "." } }
      .map { part in part.hasSuffix(".") ? part.dropLast() : part }
      .filter { !$0.isEmpty }
    return parts.count == 1 ? Double(decimal: String(parts[0])) : nil
  }
}
