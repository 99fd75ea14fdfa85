import PoseRecording

/// Arrays of NumPy whose first axis is the frames.
struct ArrayColumns: Sendable {
  let file: String
  /// How many frames there are: the first axis of the largest array.
  let count: Int
  let unread: [String]
  private let arrays: [(name: String, array: NumpyArray)]
  private let isSingle: Bool

  init(_ source: NamedBytes) throws {
    let archive = try NumpyArchive(source)
    var arrays: [(name: String, array: NumpyArray)] = []
    var unread: [String] = []
    for name in archive.names {
      do {
        if let array = try archive.array(name) { arrays.append((name, array)) }
      } catch let error as PoseSourceError {
        guard case .unusableArray(_, .elementType) = error, archive.names.count > 1 else {
          throw error
        }
        unread.append("\(error)")
      }
    }
    file = source.name
    isSingle = source.bytes.starts(with: [0x93])
    self.arrays = arrays
    self.unread = unread
    count = arrays.max { $0.array.count < $1.array.count }?.array.shape.first ?? 0
  }

  /// The n-th slices of all arrays with that many, and the other arrays whole if they are short.
  func node(_ index: Int) -> JSONNode {
    if isSingle, let array = arrays.first?.array { return Self.slice(index, of: array) }
    let values = arrays.map { one in
      if one.array.shape.first == count { return Self.slice(index, of: one.array) }
      return one.array.shape.isEmpty
        ? JSONNode(.number(one.array[0]), line: 1) : JSONNode(.null, line: 1)
    }
    return JSONNode(.object(keys: arrays.map(\.name), values: values), line: 1)
  }

  private static func slice(_ index: Int, of array: NumpyArray) -> JSONNode {
    let shape = Array(array.shape.dropFirst())
    let size = shape.reduce(1, *)
    return node(array, shape[...], at: index * size)
  }

  private static func node(_ array: NumpyArray, _ shape: ArraySlice<Int>, at start: Int) -> JSONNode
  {
    guard let count = shape.first else { return JSONNode(.number(array[start]), line: 1) }
    let size = shape.dropFirst().reduce(1, *)
    return JSONNode(
      .list((0..<count).map { node(array, shape.dropFirst(), at: start + $0 * size) }), line: 1)
  }
}
