import PoseModel
import PoseRecording

package enum FrameFiles {
  private static let mostElements = 40
  private static let mostPoints = 150
  private static let mostRows = 10
  private static let timeNames = ["time", "stamp", "frame", "pts"]

  struct Role: Sendable {
    let keys: [String]?
    let isSure: Bool
  }

  static func role(of content: TableContent) -> Role? {
    if case .csv(let rows) = content { return role(of: rows) }
    if case .arrays(let arrays) = content {
      return arrays.isPose
        ? Role(keys: ["array", NaturalOrder.shape(arrays.file.lastComponent)], isSure: false) : nil
    }
    guard case .json(let text) = content, text.roots.count == 1, let root = text.roots.first,
      let lists = try? text.lists()
    else { return nil }
    var isSure = true
    for list in lists where list.elements.count > 1 {
      guard let first = try? text.node(list.elements[0]) else { return nil }
      guard LayoutSearch.isContainer(first) else { continue }
      let keys = first.objectKeys.map { $0.lowercased() }
      let hasTimes = keys.contains { key in timeNames.contains { key.contains($0) } || key == "t" }
      guard list.elements.count <= mostElements, !hasTimes else { return nil }
      isSure = false
    }
    guard let elements = try? text.elements(of: root) else {
      let layout = try? LayoutSearch.layout(of: content)
      guard let members = try? text.members(of: root), let first = members.first,
        layout?.frames == nil
      else { return nil }
      if FrameKeys.order(of: members.map(\.0)) != nil, let node = try? text.node(first.1),
        LayoutSearch.isContainer(node)
      {
        guard members.count <= mostElements else { return nil }
        isSure = false
      }
      return Role(keys: members.map(\.0).sorted(), isSure: isSure)
    }
    guard let first = elements.first else { return Role(keys: nil, isSure: true) }
    guard elements.count <= mostPoints, let node = try? text.node(first), node.number == nil else {
      return nil
    }
    return Role(keys: ["[]"] + node.objectKeys.sorted(), isSure: isSure && elements.count > 1)
  }

  private static func role(of rows: CSVRows) -> Role? {
    guard rows.count > 0, rows.count <= mostPoints else { return nil }
    let shape = NaturalOrder.shape(rows.text.file.lastComponent)
    guard let columns = rows.columns else {
      let width = rows.text.fieldCount(ofLine: 0)
      if width < 5 {
        let isBody = JointOrder.all.contains { $0.count == rows.count }
        return isBody && width > 1 ? Role(keys: ["points", shape], isSure: true) : nil
      }
      guard width > 11, rows.count <= mostRows else { return nil }
      return Role(keys: ["bodies", shape], isSure: rows.count == 1)
    }
    let words = columns.map { $0.lowercased() }
    guard
      !words.contains(where: { word in timeNames.contains { word.contains($0) } || word == "t" })
    else { return nil }
    let joints = (0..<rows.count).map { rows.node(ofRow: $0) }
    let isNamed = columns.contains { column in
      Set(joints.compactMap { $0[column]?.ownText }.filter(JointNames.isJoint)).count > 5
    }
    return isNamed ? Role(keys: ["joints", shape] + columns, isSure: true) : nil
  }

  package static func groups(_ files: [ExaminedFile]) -> [[ExaminedFile]] {
    var kinds: [[String]: [(file: ExaminedFile, isSure: Bool)]] = [:]
    var empty: [ExaminedFile] = []
    var groups: [[ExaminedFile]] = []
    for file in files {
      guard let role = file.frameRole else {
        groups.append([file])
        continue
      }
      if let keys = role.keys {
        kinds[keys, default: []].append((file, role.isSure))
      } else {
        empty.append(file)
      }
    }
    let keys = kinds.keys.sorted { $0.lexicographicallyPrecedes($1) }
    var shapes: [String: [String]] = [:]
    for key in keys {
      for one in kinds[key] ?? [] { shapes[NaturalOrder.shape(one.file.name.lastComponent)] = key }
    }
    for file in empty {
      let own = shapes[NaturalOrder.shape(file.name.lastComponent)]
      if let key = own ?? (keys.count == 1 && !file.isBlank ? keys.first : nil) {
        kinds[key]?.append((file, true))
      } else {
        groups.append([file])
      }
    }
    for (_, kind) in kinds.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let files = kind.map(\.file)
      let isNumbered = files.count > 2 && Set(files.map { NaturalOrder.shape($0.name) }).count == 1
      if files.count > 1, kind.contains(where: \.isSure) || isNumbered {
        groups += recordings(of: files, name: \.name).map(\.files)
      } else {
        groups += files.map { [$0] }
      }
    }
    return groups
  }

  static func recordings<File>(
    of files: [File], name: (File) -> String
  ) -> [(name: String?, files: [File])] {
    var groups = Dictionary(grouping: files) { folder(of: name($0)) }
    if groups.values.contains(where: { $0.count < 2 }) { groups = ["": files] }
    var parts: [(name: String, files: [File])] = []
    for (folder, files) in groups {
      for part in takes(of: files, path: name) { parts.append((part.name ?? folder, part.files)) }
    }
    parts.sort { NaturalOrder.isBefore($0.name, $1.name) }
    return parts.map { part in
      let keyed = part.files.map { (name($0), $0) }.sorted { NaturalOrder.isBefore($0.0, $1.0) }
      return (parts.count > 1 ? part.name : nil, keyed.map(\.1))
    }
  }

  /// Groups the files of a folder by the text before the frame numbers.
  ///
  /// The names `a_0 a_1 b_0 b_1` belong to two recordings. So do `take1_0 take1_1 take2_0 take2_1`,
  /// in which the count starts again.
  private static func takes<File>(
    of files: [File], path: (File) -> String
  ) -> [(name: String?, files: [File])] {
    func name(_ file: File) -> String { path(file).lastComponent }
    let shapes = Dictionary(grouping: files) { NaturalOrder.shape(name($0)) }
    guard shapes.count > 1 else { return counted(files, name: name) }
    guard shapes.values.allSatisfy({ $0.count > 1 }) else { return [(nil, files)] }
    return shapes.sorted { $0.key < $1.key }.flatMap { shape, files in
      counted(files, name: name).map { ($0.name ?? Self.name(ofShape: shape), $0.files) }
    }
  }

  private static func counted<File>(
    _ files: [File], name: (File) -> String
  ) -> [(name: String?, files: [File])] {
    let numbers = files.map { NaturalOrder.numbers(name($0)) }
    guard let width = numbers.first?.count, width > 1,
      let last = (0..<width).last(where: { column in Set(numbers.map { $0[column] }).count > 1 })
    else { return [(nil, files)] }
    var takes: [[Int]: [(number: Int, file: File)]] = [:]
    for (file, numbers) in zip(files, numbers) {
      takes[Array(numbers[..<last]), default: []].append((numbers[last], file))
    }
    let starts = Set(takes.values.compactMap { $0.map(\.number).min() })
    let counts = takes.values.allSatisfy { take in
      let numbers = take.map(\.number)
      return take.count > 1 && (numbers.max() ?? 0) - (numbers.min() ?? 0) == take.count - 1
    }
    guard takes.count > 1, starts.count == 1, counts, starts.first ?? 2 < 2 else {
      return [(nil, files)]
    }
    return takes.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { _, take in
      (take.first.map { Self.name(of: name($0.file), before: last) }, take.map(\.file))
    }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  private static func name(ofShape shape: String) -> String {
    withoutMarks(shape.prefix { $0 != "#" })
  }

  private static func name(of path: String, before place: Int) -> String {
    var count = -1
    var wasDigit = false
    for index in path.indices {
      let isDigit = path[index].isDigit
      if isDigit, !wasDigit { count += 1 }
      if isDigit, count == place { return withoutMarks(path[..<index]) }
      wasDigit = isDigit
    }
    return path
  }

  private static func withoutMarks(_ name: Substring) -> String {
    String(name.reversed().drop { "_-. ".contains($0) }.reversed())
  }
}

extension ExaminedFile {
  var frameRole: FrameFiles.Role? {
    if isBlank { return FrameFiles.Role(keys: nil, isSure: true) }
    guard case .table(let content) = content else { return nil }
    return FrameFiles.role(of: content)
  }

  var isBlank: Bool {
    if case .foreign(let other) = content { other.isEmpty } else { false }
  }

  package var mayBeFrame: Bool { frameRole != nil }
}
