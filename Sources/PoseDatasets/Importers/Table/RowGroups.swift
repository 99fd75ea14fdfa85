import PoseRecording

/// Rows that belong to one frame, in the order of the frames.
struct RowGroups<Row> {
  private var places: [String: Int] = [:]
  private var groups: [(key: String, rows: [Row])] = []
  /// Whether rows of one frame are apart, as in a table that is sorted by people.
  private var isMixed = false

  /// Rows with the same value of a field are one frame.
  init(
    _ rows: some Sequence<Row>, by field: FieldPath, node: (Row) throws -> JSONNode,
    place: (Row) -> SourcePlace
  ) throws {
    var reader = FieldReader(field)
    for row in rows {
      guard let key = reader.field(of: try node(row))?.text else {
        throw PoseSourceError.unexpectedValue(
          file: place(row).description, path: field.text, found: "missing",
          allowed: "the field that the rows of one frame share")
      }
      add(row, key)
    }
  }

  private mutating func add(_ row: Row, _ key: String) {
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
    let keys = groups.map(\.key)
    return FrameKeys.sorted(keys, by: FrameKeys.times(keys)).map { groups[$0].rows }
  }
}

/// Keys that number frames: `0`, `00:07.367`, `frame_12`, `453.jpg`, `t=0.033`.
enum FrameKeys {
  /// Of what is within a frame.
  private static let things: Set = [
    "person", "people", "human", "body", "player", "subject", "track", "instance", "individual",
    "skeleton", "landmark", "keypoint", "joint", "point", "kp", "p", "marker", "view", "camera",
    "cam", "hand",
  ]

  /// The order of the frames; nil unless keys are numbers or times, or differ in numbers only.
  static func order(of keys: [String]) -> [Int]? {
    guard let first = keys.first else { return nil }
    if let times = times(keys) { return sorted(keys, by: times) }
    let shape = NaturalOrder.shape(first)
    let isPlain = shape != first && keys.allSatisfy { NaturalOrder.shape($0) == shape }
    guard keys.count > 1, isPlain, !JointNames.isJoint(first),
      !things.contains(ClockName.words(of: first).last ?? "")
    else { return nil }
    let numbers = numbers(keys) { key in
      let runs = NumberedText.runs(of: key, withFraction: true)
      return runs.count == 1 ? Double(decimal: runs[0]) : nil
    }
    return sorted(keys, by: numbers)
  }

  /// Numbers, or times in seconds; nil where a key is neither.
  static func times(_ keys: [String]) -> [Double]? {
    numbers(keys) { Double(decimal: $0) } ?? numbers(keys) { ClockText.seconds($0, rate: 1000) }
  }

  static func sorted(_ keys: [String], by numbers: [Double]?) -> [Int] {
    guard let numbers else {
      return keys.indices.sorted { NaturalOrder.isBefore(keys[$0], keys[$1]) }
    }
    return keys.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
  }

  private static func numbers(_ keys: [String], _ read: (String) -> Double?) -> [Double]? {
    var numbers: [Double] = []
    for key in keys {
      guard let number = read(key) else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
