import PoseRecording

/// The order of images that a list does not keep: that of the numbers in their names, or of their
/// own numbers.
struct ImageOrder {
  /// Where the images are in the list, in their order.
  private(set) var places: [Int]
  /// What numbers them; nil where nothing does, and the list has the order.
  private(set) var key: String?
  /// A field that numbers them in another order.
  private(set) var rival: String?

  private static let keys = ["frame_id", "frame_index", "file_name", "id"]

  init(_ images: [JSONNode]) {
    places = Array(images.indices)
    let orders = Self.keys.compactMap { key in Self.order(images, key).map { (key, $0) } }
    guard images.count > 1, let (key, order) = orders.first else { return }
    rival = orders.first { $0.1 != order }?.0
    (places, self.key) = (order, key)
  }

  /// Nil where values are not different numbers, or texts that differ in numbers only.
  private static func order(_ images: [JSONNode], _ key: String) -> [Int]? {
    var texts: [String] = []
    for image in images {
      guard let text = image[key]?.text else { return nil }
      texts.append(text)
    }
    guard Set(texts).count == texts.count, let shape = texts.first.map(NaturalOrder.shape),
      shape.contains("#"), texts.allSatisfy({ NaturalOrder.shape($0) == shape })
    else { return nil }
    return texts.indices.sorted { NaturalOrder.isBefore(texts[$0], texts[$1]) }
  }
}
