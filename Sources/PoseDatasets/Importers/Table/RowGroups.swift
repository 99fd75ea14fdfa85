import PoseRecording

enum RowGroups {
  static func frames<Row>(
    of rows: [Row], _ layout: PoseTable.Layout, by group: FieldPath,
    node: (Row) throws -> JSONNode, place: (Row) -> SourcePlace
  ) throws -> [[Row]] {
    func groups(_ rows: [Row], by field: FieldPath) throws -> [(key: String, elements: [Int])] {
      var reader = FieldReader(field)
      return try rows.indices.grouped { index in
        guard let key = reader.field(of: try node(rows[index]))?.text else {
          throw place(rows[index]).unexpected(
            field.text, "missing", "the field that the rows of one frame share")
        }
        return key
      }
    }
    func frames(_ rows: [Row]) throws -> [[Row]] {
      let found = try groups(rows, by: group)
      let keys = found.map(\.key)
      // In a table that is sorted by people, the rows of one frame are not adjacent.
      let isMixed = found.flatMap(\.elements) != Array(rows.indices)
      let order =
        isMixed || FrameKeys.areInTextOrder(keys)
        ? FrameKeys.sorted(keys, by: FrameKeys.times(keys)) : Array(keys.indices)
      return order.map { found[$0].elements.map { rows[$0] } }
    }
    guard let recordings = layout.recordings else { return try frames(rows) }
    return try groups(rows, by: recordings).flatMap { recording in
      try frames(recording.elements.map { rows[$0] })
    }
  }
}

enum FrameKeys {
  private static let things: Set = [
    "person", "people", "human", "body", "player", "subject", "track", "instance", "individual",
    "skeleton", "landmark", "keypoint", "joint", "point", "kp", "p", "marker", "view", "camera",
    "cam", "hand", "lm", "kpt", "pt", "bone",
  ]

  static func order(of keys: [String]) -> [Int]? {
    guard let first = keys.first else { return nil }
    if let times = times(keys) { return sorted(keys, by: times) }
    let shape = NaturalOrder.shape(first)
    let isPlain = shape != first && keys.allSatisfy { NaturalOrder.shape($0) == shape }
    guard keys.count > 1, isPlain, !JointNames.isJoint(first),
      !things.contains(ClockName.words(of: first).last ?? "")
    else { return nil }
    let numbers = keys.mapAll { key in
      let runs = NumberedText.runs(of: key, withFraction: true)
      return runs.count == 1 ? Double(decimal: runs[0]) : nil
    }
    return sorted(keys, by: numbers)
  }

  private static let fewestBesideOthers = 5

  static func frames(among keys: [String]) -> [Int]? {
    if let all = order(of: keys) { return all }
    let shapes = Dictionary(grouping: keys.indices) { NaturalOrder.shape(keys[$0]) }
    guard let most = shapes.values.max(by: { $0.count < $1.count }),
      most.count >= fewestBesideOthers, 2 * most.count > keys.count
    else { return nil }
    return order(of: most.map { keys[$0] })?.map { most[$0] }
  }

  static func areInTextOrder(_ keys: [String]) -> Bool {
    guard keys.count > 10, let order = order(of: keys) else { return false }
    return order != Array(keys.indices) && zip(keys.dropFirst(), keys).allSatisfy { $0 > $1 }
  }

  static func times(_ keys: [String]) -> [Double]? {
    keys.mapAll { Double(decimal: $0) } ?? keys.mapAll { ClockText.seconds($0, rate: 1000) }
  }

  static func sorted(_ keys: [String], by numbers: [Double]?) -> [Int] {
    guard let numbers else {
      return keys.indices.sorted { NaturalOrder.isBefore(keys[$0], keys[$1]) }
    }
    return keys.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
  }
}

struct ImageOrder {
  private(set) var places: [Int]
  private(set) var key: String?
  private(set) var rival: String?

  private static let keys = ["frame_id", "frame_index", "file_name", "id"]

  init(_ images: [JSONNode]) {
    places = Array(images.indices)
    let orders = Self.keys.compactMap { key in Self.order(images, key).map { (key, $0) } }
    guard images.count > 1, let (key, order) = orders.first else { return }
    rival = orders.first { $0.1 != order }?.0
    (places, self.key) = (order, key)
  }

  private static func order(_ images: [JSONNode], _ key: String) -> [Int]? {
    guard let texts = images.mapAll({ $0[key]?.text }), Set(texts).count == texts.count,
      let shape = texts.first.map(NaturalOrder.shape),
      shape.contains("#"), texts.allSatisfy({ NaturalOrder.shape($0) == shape })
    else { return nil }
    return texts.indices.sorted { NaturalOrder.isBefore(texts[$0], texts[$1]) }
  }
}

enum NaturalOrder {
  static func isBefore(_ one: String, _ other: String) -> Bool {
    let (a, b) = (Array(one.utf8), Array(other.utf8))
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      guard isDigit(a[i]), isDigit(b[j]) else {
        if a[i] != b[j] { return a[i] < b[j] }
        (i, j) = (i + 1, j + 1)
        continue
      }
      let (m, n) = (number(a, &i), number(b, &j))
      if m.count != n.count { return m.count < n.count }
      if let pair = zip(m, n).first(where: { $0 != $1 }) { return pair.0 < pair.1 }
    }
    let (left, right) = (a.count - i, b.count - j)
    return left != right ? left < right : one < other
  }

  static func shape(_ text: String) -> String {
    var shape = ""
    var isNumber = false
    for character in text {
      if !(character.isDigit && isNumber) { shape.append(character.isDigit ? "#" : character) }
      isNumber = character.isDigit
    }
    return shape
  }

  static func numbers(_ text: String) -> [Int] {
    text.split { !$0.isDigit }.map { $0.count > 18 ? 0 : Int($0) ?? 0 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func number(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    let digits = bytes[start..<index]
    return digits.drop { $0 == 48 }
  }
}
