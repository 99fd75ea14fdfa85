import PoseModel
import PoseRecording

extension TableExamination {
  mutating func concludeImageUnits(_ signs: BodySigns) {
    let isPixels = map.units == .pixels
    let finding = isPixels ? "pixels" : "shares of the image"
    let reach = "coordinates go up to \(Self.short(signs.largest))"
    guard var size = map.imageSize else {
      return diagnosis.conclude("units", finding, .sure, reach)
    }
    if map.isRowFirst { size = ImageSize(width: size.height, height: size.width) }
    let scale = ImageScale(signs, size, isPixels: isPixels)
    diagnosis.conclude(
      "units", finding, scale.doubts.isEmpty ? (scale.isConfirmed ? .sure : .likely) : .unsure,
      ([reach] + scale.doubts).joined(separator: "; "), alternatives: scale.alternatives)
  }
}

/// Looks for signs that coordinates are in a scale other than the size of the images suggests.
struct ImageScale {
  private(set) var doubts: [String] = []
  private(set) var alternatives: [String] = []
  /// Whether bodies fit the size clearly better than a square into which they were squeezed.
  let isConfirmed: Bool

  /// Percent, permille, and the sides of the square images that neural networks take.
  private static let squares = [100, 192, 224, 256, 257, 368, 384, 512, 640, 1000, 1024]
  private static let mostOutside = 0.05

  private let points: [Vector3]
  private let size: ImageSize
  private let fitsSquare: Bool

  init(_ signs: BodySigns, _ size: ImageSize, isPixels: Bool) {
    points = signs.frames.flatMap(\.values)
    self.size = size
    let scaled = signs.scaled(Double(size.width), Double(size.height))
    let (own, square) = isPixels ? (signs, scaled) : (scaled, signs)
    isConfirmed = own.fitsClearlyBetter(than: square)
    // Bodies that point at the camera have impossible proportions in any scale.
    fitsSquare = square.fitsClearlyBetter(than: own) && square.proportionError ?? 9 < 3
    if isPixels { examinePixels() } else { examineShares() }
  }

  private mutating func examinePixels() {
    let (width, height) = (Double(size.width), Double(size.height))
    let (x, y) = (reach(\.x), reach(\.y))
    let isCorner = x < 0.5 * width && y < 0.5 * height
    let isOutside = outside(\.x, width) + outside(\.y, height) > Self.mostOutside
    if isCorner { doubts.append("they never leave the upper left quarter of the images") }
    if isOutside { doubts.append("many points are outside the images") }
    if fitsSquare { doubts.append("bodies fit the images better if x and y are shares of them") }
    if isCorner || isOutside {
      alternatives.append("pixels of images of another size; then give their --image-size")
    }
    guard !doubts.isEmpty else { return }
    if let side = Self.squares.first(where: { max(x, y) <= Double($0) }) {
      alternatives.append(
        (side == 100 ? "percent of the image" : "shares of a square of \(side)")
          + "; then divide them by \(side) in the file")
    } else if fitsSquare {
      alternatives.append("points in a square picture; then divide them by its side in the file")
    }
  }

  /// Looks for coordinates that were all divided by one side of the image.
  ///
  /// Divided by the longer side, those along the shorter one never reach 1; divided by the shorter
  /// side, those along the longer one exceed 1.
  private mutating func examineShares() {
    guard size.width != size.height else { return }
    let isWide = size.width > size.height
    let (x, y): (KeyPath<Vector3, Double>, KeyPath<Vector3, Double>) = (\.x, \.y)
    let (long, short) = isWide ? (x, y) : (y, x)
    let sides = (long: max(size.width, size.height), short: min(size.width, size.height))
    let ratio = Double(sides.long) / Double(sides.short)
    var side = sides.long
    if outside(long, 1) > Self.mostOutside, reach(long) <= 1.02 * ratio, reach(short) <= 1.02 {
      side = sides.short
      doubts.append("\(isWide ? "x" : "y") exceeds 1")
    } else if reach(short) <= 1 / ratio {
      doubts.append("\(isWide ? "y" : "x") never exceeds \(TableExamination.short(1 / ratio))")
    }
    if fitsSquare { doubts.append("bodies fit square images better") }
    if !doubts.isEmpty {
      alternatives = [
        "shares of one side, by which x and y were both divided: --image-size \(side)x\(side)"
      ]
    }
  }

  /// Leaves out the largest 2 %, which may be errors.
  private func reach(_ axis: KeyPath<Vector3, Double>) -> Double {
    let all = points.map { $0[keyPath: axis] }.sorted()
    return all.isEmpty ? 0 : all[(all.count - 1) * 98 / 100]
  }

  private func outside(_ axis: KeyPath<Vector3, Double>, _ side: Double) -> Double {
    Double(points.count { $0[keyPath: axis] > 1.02 * side }) / Double(max(points.count, 1))
  }
}

extension BodySigns {
  func scaled(_ x: Double, _ y: Double) -> BodySigns {
    BodySigns(frames.map { $0.mapValues { Vector3($0.x * x, $0.y * y, 0) } })
  }

  /// Whether limb lengths are clearly more like a body's than those of `other` are.
  ///
  /// The best evidence is how little lengths vary over time. In a held pose, they hardly vary in
  /// either case, so proportions decide.
  func fitsClearlyBetter(than other: BodySigns) -> Bool {
    guard let own = boneVariation, let variation = other.boneVariation else { return false }
    let (ownShape, shape) = (proportionError ?? 9, other.proportionError ?? 9)
    return variation > 0.03
      ? own < 0.6 * variation && ownShape < 1.2 * shape : ownShape < 0.7 * shape
  }
}

extension TableExamination {
  mutating func examineImageSize() {
    guard map.imageSize == nil else { return }
    map.imageSize = sizeOfSides() ?? sizeOfTexts() ?? sizeOfPairs()
  }

  /// Refuses images whose size changes, as in a call or when a phone is turned.
  mutating func blockSizeChange() -> Bool {
    let paths = sizeFacts.filter(\.isOfFrame).map(\.path) + sizePairs(samples[0], isOfFrame: true)
    for path in paths {
      let texts = path.nodes(in: samples).map(Self.sizeText)
      guard let index = texts.indices.dropFirst().first(where: { texts[$0] != texts[$0 - 1] })
      else { continue }
      diagnosis.block(
        "the size of the images changes: `\(path.text)` is \(texts[index - 1]) at first, and "
          + "\(texts[index]) from about frame \(index * table.count / samples.count) on",
        "split the file there, and import its parts one by one")
      return true
    }
    return false
  }

  private static func sizeText(_ node: JSONNode) -> String {
    node.text ?? node.flatNumbers.map(short).joined(separator: " x ")
  }

  private static let sides = [
    ["imagewidth", "width", "framewidth", "videowidth", "imgwidth", "w"],
    ["imageheight", "height", "frameheight", "videoheight", "imgheight", "h"],
  ]

  private static func isSize(_ name: String) -> Bool {
    ["resolution", "imagesize", "framesize", "videosize", "imgsize", "dimensions", "size"]
      .contains { name.hasSuffix($0) }
  }

  /// The facts that may give the size of the images.
  private var sizeFacts: [Fact] {
    facts.filter { fact in
      let isSize =
        Self.isSize(fact.name) || ["image", "video"].contains(fact.name)
        || Self.sides.contains { $0.contains(fact.name) && (fact.node.number ?? 0) >= 32 }
      return isSize && mayBeOfImage(fact.path, isOfFrame: fact.isOfFrame)
    }
  }

  private func sizePairs(_ node: JSONNode, isOfFrame: Bool) -> [FieldPath] {
    FieldSearch(node).numberLists.filter { list in
      let name = list.path.lastKey.lowercased().filter(\.isLetter)
      return (list.count == 2 && Self.isSize(name) || list.count < 4 && name.hasSuffix("shape"))
        && mayBeOfImage(list.path, isOfFrame: isOfFrame)
    }
    .map(\.path)
  }

  /// Whether something may have the size of the images, which hardly ever changes.
  private func mayBeOfImage(_ path: FieldPath, isOfFrame: Bool) -> Bool {
    let name = path.text.lowercased()
    guard !Self.otherSizes.contains(where: name.contains) else { return false }
    return !isOfFrame
      || Set(path.nodes(in: samples).map(Self.sizeText)).count <= max(1, samples.count / 10)
  }

  private static let otherSizes = [
    "input", "model", "crop", "screen", "display", "window", "view", "thumb", "depth", "mask",
    "box", "rect", "person", "user", "body", "face", "hand",
  ]

  private func sizeOfSides() -> ImageSize? {
    let facts = sizeFacts
    for width in facts where Self.sides[0].contains(width.name) {
      let height = facts.first {
        Self.sides[1].contains($0.name) && $0.path.steps.dropLast() == width.path.steps.dropLast()
      }
      let size = width.node.number.flatMap { width in
        height?.node.number.flatMap { Self.size(width, $0) }
      }
      if let size { return size }
    }
    return nil
  }

  private func sizeOfTexts() -> ImageSize? {
    for fact in sizeFacts {
      guard let text = fact.node.text, text.utf8.count < 40 else { continue }
      let parts = text.lowercased().split { "x×*, ".contains($0) }.compactMap { Double($0) }
      if parts.count == 2, let size = Self.size(parts[0], parts[1]) { return size }
    }
    return nil
  }

  private func sizeOfPairs() -> ImageSize? {
    for (node, isOfFrame) in [(surroundings, false), (samples[0], true)] {
      for path in sizePairs(node, isOfFrame: isOfFrame) {
        guard let numbers = path.node(in: node)?.flatNumbers, numbers.count > 1 else { continue }
        // NumPy's shapes begin with the height.
        let isShape = path.lastKey.lowercased().filter(\.isLetter).hasSuffix("shape")
        let size = isShape ? Self.size(numbers[1], numbers[0]) : Self.size(numbers[0], numbers[1])
        if let size { return size }
      }
    }
    return nil
  }

  private static func size(_ width: Double, _ height: Double) -> ImageSize? {
    let sides = 32.0...100_000
    guard sides.contains(width), sides.contains(height), let width = Int(exactly: width),
      let height = Int(exactly: height)
    else { return nil }
    return ImageSize(width: width, height: height)
  }
}
