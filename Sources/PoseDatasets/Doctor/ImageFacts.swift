import PoseModel

// What a file says about its images: their orientation and size.
extension TableExamination {
  /// Whether images were mirrored, by names or by Apple's words and numbers of orientations.
  mutating func examineMirror() {
    let said = facts.compactMap { fact in isMirrored(fact).map { (fact, $0) } }
    let oriented = facts.compactMap { fact in orientation(fact).map { (fact, $0) } }
    // A flag says it plainly; an orientation says it, too.
    guard let (fact, isMirrored) = said.first ?? oriented.first(where: \.1) ?? oriented.first else {
      return diagnosis.conclude(
        "mirrored", "assumed not", .unsure,
        "a mirrored person looks like a person: no data can show it",
        alternatives: ["--mirrored, if your app flips the front camera's image before detection"])
    }
    map.isMirrored = isMirrored
    diagnosis.conclude(
      "mirrored", isMirrored ? "yes: left and right are exchanged back" : "no", .likely,
      "`\(fact.path.text)` is \(fact.node.text ?? "")",
      alternatives: isMirrored ? ["--no-mirrored"] : ["--mirrored"])
  }

  private func isMirrored(_ fact: Fact) -> Bool? {
    guard fact.name.contains("mirror") || fact.name.contains("flip"),
      !fact.name.contains("vert"), !fact.name.hasSuffix("y")
    else { return nil }
    switch fact.node.text?.lowercased() {
    case "true", "yes", "1": return true
    case "false", "no", "0": return false
    default: return nil
    }
  }

  /// Whether an orientation is one of the mirrored: 2, 4, 5 and 7 of EXIF and Apple.
  ///
  /// A device's orientation has numbers of its own, which say nothing of mirrors.
  private func orientation(_ fact: Fact) -> Bool? {
    guard fact.name.contains("orientation"), !fact.name.contains("device"),
      !fact.name.contains("interface")
    else { return nil }
    if let number = fact.node.number {
      return (1...8).contains(number) && number == number.rounded()
        ? [2, 4, 5, 7].contains(number) : nil
    }
    let word = (fact.node.text ?? "").lowercased().filter(\.isLetter)
    let directions = ["up", "down", "left", "right"]
    if directions.contains(where: { word.hasSuffix($0 + "mirrored") }) { return true }
    return directions.contains(word) ? false : nil
  }

  /// As two numbers, a pair, or a text such as 1280x720.
  mutating func examineImageSize() {
    guard map.imageSize == nil else { return }
    map.imageSize = sizeOfSides() ?? sizeOfTexts() ?? sizeOfPairs()
  }

  private func sizeOfSides() -> ImageSize? {
    func side(_ names: [String]) -> Double? {
      facts.first { names.contains($0.name) && ($0.node.number ?? 0) >= 32 }?.node.number
    }
    let width = side(["imagewidth", "width", "framewidth", "videowidth", "imgwidth", "w"])
    let height = side(["imageheight", "height", "frameheight", "videoheight", "imgheight", "h"])
    return width.flatMap { width in height.flatMap { Self.size(width, $0) } }
  }

  private static func isSize(_ name: String) -> Bool {
    ["resolution", "imagesize", "framesize", "videosize", "imgsize", "dimensions", "size"]
      .contains { name.hasSuffix($0) }
  }

  private func sizeOfTexts() -> ImageSize? {
    for fact in facts {
      guard Self.isSize(fact.name) || ["image", "video"].contains(fact.name),
        let text = fact.node.text, text.utf8.count < 40
      else { continue }
      let parts = text.lowercased().split { "x×*, ".contains($0) }.compactMap { Double($0) }
      if parts.count == 2, let size = Self.size(parts[0], parts[1]) { return size }
    }
    return nil
  }

  private func sizeOfPairs() -> ImageSize? {
    for node in [surroundings, samples.first].compactMap({ $0 }) {
      for list in FieldSearch(node).numberLists where (2...3).contains(list.count) {
        let (path, count) = (list.path, list.count)
        let name = path.lastKey.lowercased().filter(\.isLetter)
        // NumPy's shapes begin with the height.
        let isShape = name.hasSuffix("shape")
        var reader = FieldReader(path)
        guard isShape || (Self.isSize(name) && count == 2),
          let numbers = reader.field(of: node)?.flatNumbers, numbers.count == count
        else { continue }
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
