import PoseModel

extension TableMap {
  package init(yaml text: String, file: String) throws {
    let root = try YAMLDocument(text: text, file: file).root.map()
    try root.rejectUnknownKeys(known: Self.keys)
    let version = try root.required("table")
    guard try version.integer() == Self.version else {
      throw version.error(
        allowed: "\(Self.version)", remedy: "write the map again with `planklab doctor`")
    }
    self.init()
    about = try root.optional("about")?.string()
    if let node = root.optional("posenet") {
      try root.rejectUnknownKeys(known: ["table", "about", "posenet", "image_size", "rate_hz"])
      poseNet = try PoseNetMap(node)
      skeleton = .coco17
      frame = .image
      imageSize = try Self.imageSize(root)
      try readTime(root)
      return
    }
    try readLayout(root)
    try readSpace(root)
    try readTime(root)
    try readCamera(root)
    try readJoints(root)
    people = try root.optional("people").map { try People($0) }
    try check(root)
  }

  private static let keys = [
    "table", "about", "layout", "frames", "group", "skip", "files", "skeleton", "frame", "units",
    "axes", "coordinates", "matrices", "image_size", "time", "rate_hz", "confidence", "missing",
    "presence", "recordings", "repeats", "camera_matrix", "anchor_matrix", "up", "body_height_m",
    "orientation", "camera_position", "buffer", "mirrored", "labels", "joints", "people", "cut",
    "stills", "depth", "posenet",
  ]

  private mutating func readLayout(_ root: YAMLMap) throws {
    if let kind = root.optional("layout") { layout.kind = try kind.word() }
    layout.frames = try root.optional("frames")?.path()
    layout.group = try root.optional("group")?.path()
    layout.recordings = try root.optional("recordings")?.path()
    if let skip = root.optional("skip") {
      layout.skip = try skip.integer()
      guard (0...1000).contains(layout.skip) else {
        throw skip.error(allowed: "0 to 1000 values", remedy: "count the values before the frames")
      }
    }
    if let files = root.optional("files") {
      layout.isFramePerFile = try files.choice([("recordings", false), ("frames", true)])
    }
    isStills = try root.optional("stills")?.bool() ?? false
    if let node = root.optional("cut") {
      cut = try Cut(node)
      guard !isStills else {
        throw node.error(
          allowed: "either `cut` or `stills`", remedy: "remove one of them", found: "both")
      }
    }
    if layout.kind == .rows, layout.group == nil {
      throw root.node.error(
        allowed: "`group` with `layout: rows`",
        remedy: "name the field that the rows of one frame share, such as `group: frame`",
        found: "no `group`")
    }
  }

  private mutating func readSpace(_ root: YAMLMap) throws {
    if let name = root.optional("skeleton") { skeleton = try name.word() }
    let isFlat = skeleton.dimension == 2
    frame = isFlat ? .image : .camera
    axes = isFlat ? [Axis(0), Axis(1, isNegative: true)] : axes
    units = isFlat ? .image : .m
    if let name = root.optional("frame") {
      frame = try name.choice(skeleton.framesOfReference.map { ($0.rawValue, $0) })
    }
    if let name = root.optional("units") {
      let allowed: [Units] =
        isFlat ? [.image, .pixels] : [.m, .cm, .mm, .inches, .feet, .body, .image]
      units = try name.choice(allowed.map { ($0.rawValue, $0) })
    }
    if let node = root.optional("axes") { axes = try Self.axes(node, count: skeleton.dimension) }
    if let node = root.optional("coordinates") {
      coordinates = try node.texts()
      guard coordinates.count == skeleton.dimension else {
        throw node.error(
          allowed: "\(skeleton.dimension) names", remedy: "write, for example, [x, y, z]")
      }
    }
    if let order = root.optional("matrices") { matrices = try order.word() }
    imageSize = try Self.imageSize(root)
    if let node = root.optional("missing") { fillers = try Self.fillers(node, isFlat: isFlat) }
    presence = try root.optional("presence")?.path()
    if let repeats = root.optional("repeats") {
      let count = try repeats.integer()
      guard (1...1_000_000).contains(count) else {
        throw repeats.error(
          allowed: "1 to 1000000 frames",
          remedy: "give the number of frames for which a pose may stay exactly the same")
      }
      longestRepeat = count
    }
    if let node = root.optional("depth") {
      depth = try LandmarkDepth(node)
      guard !isFlat else {
        throw node.error(
          allowed: "no depth with a 2D skeleton", remedy: "remove `depth`", found: "a depth")
      }
    }
  }

  private static func imageSize(_ root: YAMLMap) throws -> ImageSize? {
    guard let size = root.optional("image_size") else { return nil }
    guard let value = ImageSize(try size.string()) else {
      throw size.error(allowed: "pixels such as 1080x1920", remedy: "write width x height")
    }
    return value
  }

  private mutating func readTime(_ root: YAMLMap) throws {
    if let rate = root.optional("rate_hz") {
      time.rate = try rate.number(in: 0.1...1000, "frames per second, 0.1 to 1000")
    }
    guard let node = root.optional("time") else { return }
    let map = try node.map()
    try map.rejectUnknownKeys(
      known: ["field", "unit", "timescale", "fraction", "fraction_unit", "number", "file_number"])
    let unit: Time.Unit = try map.optional("unit")?.word() ?? .s
    let fileNumber = try map.optional("file_number").map(Self.place)
    time = Time(
      field: fileNumber == nil ? try map.required("field").path() : nil, fileNumber: fileNumber,
      unit: unit, rate: root.optional("rate_hz") == nil && unit != .frames ? nil : time.rate)
    time.fraction = try map.optional("fraction")?.path()
    time.fractionUnit = try map.optional("fraction_unit")?.word() ?? .ns
    if let node = map.optional("timescale") {
      if case .scalar(let text, true) = node.content, Double(decimal: text) != nil {
        time.timescale = .number(try node.number(in: 1e-3...1e12, "parts of a second"))
      } else {
        time.timescale = .field(try node.path())
      }
    }
    time.number = try map.optional("number").map(Self.place)
  }

  private static func place(_ node: YAMLNode) throws -> Int {
    let number = try node.integer()
    guard (1...9).contains(number) else {
      throw node.error(
        allowed: "1 to 9", remedy: "count the text's numbers from its end; 1 is the last")
    }
    return number
  }

  private mutating func readCamera(_ root: YAMLMap) throws {
    camera = try root.optional("camera_matrix")?.path()
    anchor = try root.optional("anchor_matrix")?.path()
    if let node = root.optional("up") {
      if case .sequence(let numbers) = node.content, numbers.count == 3 {
        let up = Vector3(try numbers[0].double(), try numbers[1].double(), try numbers[2].double())
        guard UpDirection.acceptedNorms ~= up.norm else {
          throw node.error(allowed: "a vector of length 1", remedy: "divide by its length")
        }
        self.up = up / up.norm
      } else {
        let text = try node.string()
        isUpReversed = text.hasPrefix("-")
        guard let path = FieldPath(isUpReversed ? String(text.dropFirst()) : text) else {
          throw node.error(
            allowed: "a field, with a minus if it points down, or a vector", remedy: "correct it")
        }
        upField = path
      }
    }
    if let node = root.optional("body_height_m") {
      if case .scalar(let text, true) = node.content, Double(decimal: text) != nil {
        bodyHeight = try node.number(in: 0.3...3, "meters, 0.3 to 3")
      } else {
        bodyHeightField = try node.path()
      }
    }
    orientation = try root.optional("orientation")?.word()
    cameraPosition = try root.optional("camera_position")?.word()
    buffer = try root.optional("buffer")?.word()
    if let node = root.optional("mirrored") { isMirrored = try node.bool() }
    if let node = root.optional("confidence") {
      let map = try node.map()
      try map.rejectUnknownKeys(known: ["field", "floor", "scale"])
      let floor = try map.optional("floor")?.number(in: 0...1, "0 to 1") ?? 0
      confidence = Confidence(field: try map.optional("field")?.path(), floor: floor)
      if let scale = map.optional("scale") {
        confidence?.scale =
          try scale.string() == "logit"
          ? .logit
          : .number(try scale.number(in: 1e-3...1e6, "the number that means certainty, or `logit`"))
      }
    }
    if let node = root.optional("labels") { labels = try Self.labels(node) }
  }

  private mutating func readJoints(_ root: YAMLMap) throws {
    let map = try root.required("joints").map()
    for entry in map.entries {
      guard let joint = Joint(name: entry.key), skeleton.joints.contains(joint) else {
        throw FieldError(
          file: map.node.file, line: entry.line, field: map.node.field,
          found: "the joint `\(entry.key)`",
          allowed: skeleton.joints.map(\.name).joined(separator: ", "),
          remedy: NearestNames.hint(entry.key, among: skeleton.joints.map(\.name))
            + "write one of the joints of \(skeleton.rawValue)")
      }
      guard case .sequence(let nodes) = entry.value.content else {
        joints[joint] = .point(try entry.value.path())
        continue
      }
      let fields = try nodes.map { try $0.path() }
      guard (skeleton.dimension...skeleton.dimension + 1).contains(fields.count) else {
        throw entry.value.error(
          allowed: "\(skeleton.dimension) fields, or one more for the confidence",
          remedy: "write the fields of the coordinates in the order x, y, z",
          found: "\(fields.count) fields")
      }
      joints[joint] = .fields(fields)
    }
  }

  private func check(_ root: YAMLMap) throws {
    guard !joints.isEmpty else {
      throw root.node.error(
        allowed: "at least one joint", remedy: "map the joints of the file", found: "no joints")
    }
    if frame == .pelvis, camera == nil {
      throw root.node.error(
        allowed: "`camera_matrix` with `frame: pelvis`",
        remedy: "name the field with Vision's cameraOriginMatrix, because positions in pelvis axes "
          + "do not show the body's orientation", found: "no `camera_matrix`")
    }
  }

  private static func fillers(_ node: YAMLNode, isFlat: Bool) throws -> [PoseFiller] {
    try node.list().map { element in
      guard case .sequence(let nodes) = element.content else {
        return PoseFiller([try element.double()])
      }
      let numbers = try nodes.map { try $0.double() }
      guard numbers.count == (isFlat ? 2 : 3) else {
        throw element.error(
          allowed: "a number, or the coordinates of a point",
          remedy: "write, for example, [9999], [-1, 0] or [[0, 1]]")
      }
      return PoseFiller(numbers)
    }
  }

  private static func axes(_ node: YAMLNode, count: Int) throws -> [Axis] {
    let axes = try node.texts().map { text in
      guard let axis = Axis(text) else {
        throw node.error(
          allowed: "x, y and z, each once, with a minus for the opposite",
          remedy: "write which axis points right, up and toward the camera, such as [x, -y, -z]")
      }
      return axis
    }
    guard axes.count == count, Set(axes.map(\.index)) == Set(0..<count) else {
      throw node.error(
        allowed: "\(count) different axes",
        remedy: "write which axis points right, up" + (count == 3 ? " and toward the camera" : ""))
    }
    return axes
  }

  private static func labels(_ node: YAMLNode) throws -> Labels {
    let map = try node.map()
    try map.rejectUnknownKeys(known: ["field", "classes"])
    var classes: [String: String] = [:]
    if let meanings = try map.optional("classes")?.map() {
      for entry in meanings.entries {
        let text = try entry.value.string()
        do { _ = try LabelTarget(text) } catch { throw entry.value.error(error) }
        classes[entry.key] = text
      }
    }
    return Labels(field: try map.required("field").path(), classes: classes)
  }
}

extension YAMLNode {
  func fieldNames(allowed: String, remedy: String) throws -> [PersonName] {
    try list().map { name in
      guard let one = PersonName(text: try name.string()) else {
        throw name.error(allowed: allowed, remedy: remedy)
      }
      return one
    }
  }

  func path() throws -> FieldPath {
    let text = try string()
    guard let path = FieldPath(text) else {
      throw error(
        allowed: "the path of a field, such as joints.left_hip[0] or rows[joint=left_hip]",
        remedy: "put keys with dots or brackets in double quotes")
    }
    return path
  }

  fileprivate func texts() throws -> [String] { try list().map { try $0.string() } }

  func word<Word: RawRepresentable & CaseIterable>() throws -> Word
  where Word.RawValue == String {
    try choice(Word.allCases.map { ($0.rawValue, $0) })
  }

  fileprivate func number(in range: ClosedRange<Double>, _ allowed: String) throws -> Double {
    let number = try double()
    guard range.contains(number) else {
      throw error(allowed: allowed, remedy: "write a number in that range")
    }
    return number
  }
}

extension TableMap {
  package var yaml: String {
    var lines = ["table: \(Self.version)"]
    func add(_ key: String, _ value: String?) {
      if let value { lines.append("\(key): \(value)") }
    }
    add("about", about.map(Self.scalar))
    if let poseNet {
      add("image_size", imageSize.map { "\($0.width)x\($0.height)" })
      add("rate_hz", time.rate.map { "\($0)" })
      return (lines + poseNet.yaml).joined(separator: "\n") + "\n"
    }
    add("layout", layout.kind == .frames ? nil : layout.kind.rawValue)
    add("frames", layout.frames?.yaml)
    add("group", layout.group?.yaml)
    add("recordings", layout.recordings?.yaml)
    add("skip", layout.skip == 0 ? nil : "\(layout.skip)")
    add("files", layout.isFramePerFile ? "frames" : nil)
    add("stills", isStills ? "true" : nil)
    add("cut", cut?.yaml)
    add("skeleton", skeleton.rawValue)
    add("frame", frame.rawValue)
    add("units", units.rawValue)
    let meaning = skeleton.dimension == 2 ? "right, up" : "right, up, toward the camera"
    add("axes", "[\(axes.map(\.text).joined(separator: ", "))]  # \(meaning)")
    let isUsual =
      coordinates == Array(["x", "y", "z"].prefix(skeleton.dimension))
      || coordinates == ["x", "y", "z"]
    add("coordinates", isUsual ? nil : "[\(coordinates.map(Self.scalar).joined(separator: ", "))]")
    add("matrices", matrices == .columns ? nil : matrices.rawValue)
    add("image_size", imageSize.map { "\($0.width)x\($0.height)" })
    add("time", timeText)
    add("rate_hz", time.rate.map { "\($0)" })
    if let confidence {
      let field = confidence.field.map { "field: \($0.yaml), " } ?? ""
      let scale =
        switch confidence.scale {
        case .number(1): ""
        case .number(let one): ", scale: \(one)"
        case .logit: ", scale: logit"
        }
      add("confidence", "{\(field)floor: \(confidence.floor)\(scale)}")
    }
    add("missing", fillers.isEmpty ? nil : "[\(fillers.map(\.text).joined(separator: ", "))]")
    add("presence", presence?.yaml)
    add("repeats", longestRepeat.map { "\($0)" })
    add("camera_matrix", camera?.yaml)
    add("anchor_matrix", anchor?.yaml)
    add("up", up.map { "[\($0.x), \($0.y), \($0.z)]" } ?? upText)
    add(
      "body_height_m",
      bodyHeight.map { "\($0)  # in the scale of the positions" }
        ?? bodyHeightField?.yaml)
    add("orientation", orientation?.rawValue)
    add("camera_position", cameraPosition?.rawValue)
    add("buffer", buffer?.rawValue)
    add("mirrored", isMirrored ? "true" : nil)
    add("depth", depth == .asItIs ? nil : depth.text)
    add("people", people?.yaml)
    return lines.joined(separator: "\n") + "\n" + labelText + jointText
  }

  private var upText: String? {
    upField.map { isUpReversed ? "\"-\($0.text.replacing("\"", with: "\\\""))\"" : $0.yaml }
  }

  private var timeText: String? {
    guard
      let start = time.fileNumber.map({ "{file_number: \($0)" })
        ?? time.field.map({ "{field: \($0.yaml)" })
    else { return nil }
    var text = start
    switch time.timescale {
    case .number(let number): text += ", timescale: \(number)"
    case .field(let path): text += ", timescale: \(path.yaml)"
    case nil: text += ", unit: \(time.unit.rawValue)"
    }
    if let fraction = time.fraction {
      text += ", fraction: \(fraction.yaml), fraction_unit: \(time.fractionUnit.rawValue)"
    }
    if let number = time.number { text += ", number: \(number)" }
    return text + "}"
  }

  private var labelText: String {
    guard let labels else { return "" }
    var text = "labels:\n  field: \(labels.field.yaml)\n"
    if labels.classes.isEmpty { return text }
    text += "  classes:\n"
    for (label, target) in labels.classes.sorted(by: { $0.key < $1.key }) {
      text += "    \(Self.scalar(label)): \(Self.scalar(target))\n"
    }
    return text
  }

  private var jointText: String {
    var text = "joints:\n"
    for joint in skeleton.joints {
      switch joints[joint] {
      case .point(let path): text += "  \(joint.name): \(path.yaml)\n"
      case .fields(let paths):
        text += "  \(joint.name): [\(paths.map(\.yaml).joined(separator: ", "))]\n"
      case nil: break
      }
    }
    return text
  }

  static func scalar(_ text: String) -> String { DatasetManifestWriter.scalar(text) }
}
