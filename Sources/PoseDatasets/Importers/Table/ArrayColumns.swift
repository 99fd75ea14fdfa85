import PoseModel
import PoseRecording

struct ArrayColumns: Sendable {
  let file: String
  let count: Int
  let texts: [(name: String, texts: [String])]
  /// Arrays of other recordings: they differ from the largest array only in their frames.
  let alike: [(name: String, count: Int)]
  private(set) var remarks: [TableRemark] = []
  private let arrays: [(name: String, array: NumpyArray)]
  private let isSingle: Bool

  init(_ source: NamedBytes) throws {
    let archive = try NumpyArchive(source)
    var arrays: [(name: String, array: NumpyArray)] = []
    var texts: [(name: String, texts: [String])] = []
    var unread: [String] = []
    for name in archive.names {
      do {
        guard let array = try archive.array(name) else { continue }
        if let own = array.texts {
          texts.append((name, own))
        } else {
          arrays.append((name, array))
        }
      } catch let error as PoseSourceError {
        guard case .unusableArray(_, .elementType) = error, archive.names.count > 1 else {
          throw error
        }
        unread.append("\(error)")
      }
    }
    if arrays.count == 1, !arrays[0].array.records.isEmpty {
      arrays = arrays[0].array.records
      isSingle = false
    } else {
      arrays = arrays.flatMap { one -> [(name: String, array: NumpyArray)] in
        let records = one.array.records
        return records.isEmpty ? [one] : records.map { ("\(one.name)_\($0.name)", $0.array) }
      }
      isSingle = source.bytes.starts(with: [0x93])
    }
    arrays = arrays.filter { $0.array.hasNumbers }
    let axes = ArrayAxes(arrays, names: texts.map(\.texts.count))
    if axes.order != Array(axes.shape.indices) {
      arrays = arrays.map { ($0.name, axes.ordered($0.array)) }
      remarks.append(
        TableRemark(
          finding: "frames are axis \(axes.order[0] + 1) of the array "
            + "(\(axes.shape.map(String.init).joined(separator: " x ")))",
          evidence: "the other axes have the sizes of joints and coordinates"))
    }
    file = source.name
    self.arrays = arrays
    self.texts = texts
    remarks += unread.map { TableRemark(finding: "an array is ignored", evidence: $0) }
    let largest = arrays.max { $0.array.count < $1.array.count }?.array
    let count = largest.map { $0.count == 0 ? 0 : $0.shape.first ?? 0 } ?? 0
    self.count = count
    alike = arrays.compactMap { name, array in
      guard array.shape.count > 1, let own = array.shape.first, own != count,
        array.shape.dropFirst() == largest?.shape.dropFirst()
      else { return nil }
      return (name, own)
    }
  }

  /// Whether a single array may be one pose: a list of points, or their numbers.
  var isPose: Bool {
    guard isSingle, let shape = arrays.first?.array.shape else { return false }
    return shape.count == 1
      ? shape[0] > 11
      : shape.count == 2 && (2...4).contains(shape[1])
        && JointOrder.all.contains { $0.count == shape[0] }
  }

  var whole: JSONNode { JSONNode(.list((0..<count).map(node)), line: 1) }

  var surroundings: JSONNode {
    let lists = texts.map { one in
      JSONNode(.list(one.texts.map { JSONNode(.text($0), line: 1) }), line: 1)
    }
    return JSONNode(.object(keys: texts.map(\.name), values: lists), line: 1)
  }

  func node(_ index: Int) -> JSONNode {
    if isSingle, let array = arrays.first?.array { return Self.slice(index, of: array) }
    let values = arrays.map { one in
      // An array without values can have any shape.
      if one.array.count > 0, one.array.shape.first == count {
        return Self.slice(index, of: one.array)
      }
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

private struct ArrayAxes {
  let shape: [Int]
  private(set) var order: [Int]
  private let isBatch: Bool

  init(_ arrays: [(name: String, array: NumpyArray)], names: [Int]) {
    shape = arrays.max { $0.array.count < $1.array.count }?.array.shape ?? []
    let joints = Set(JointOrder.all.map(\.count) + names)
    func isFlat(_ count: Int) -> Bool {
      joints.contains { [2 * $0, 3 * $0, 4 * $0].contains(count) }
    }
    isBatch =
      shape.first == 1 && shape.count > 2
      && (shape.count > 4
        || shape[1] > 4
          && (shape.count == 4 || isFlat(shape[2]) && !joints.contains(shape[1])))
    let axes = Array(isBatch ? shape.indices.dropFirst() : shape.indices)
    order = axes
    let sizes = axes.map { shape[$0] }
    guard let first = sizes.first, sizes.count > 1 else { return }
    func isJoints(_ axis: Int) -> Bool { joints.contains(sizes[axis]) }
    func isPoint(_ axis: Int) -> Bool { (2...4).contains(sizes[axis]) }
    // A list of times shows how many frames there are.
    let lengths = Set(arrays.compactMap { $0.array.shape.count == 1 ? $0.array.shape[0] : nil })
    var frames: Int?
    if sizes.count < 4, !lengths.isEmpty, !lengths.contains(first) {
      let own = sizes.indices.filter { lengths.contains(sizes[$0]) }
      if own.count == 1 { frames = own[0] }
    } else if sizes.count == 2 {
      if isFlat(first), !isFlat(sizes[1]), sizes[1] > 4 { frames = 1 }
    } else if sizes.count == 3 {
      if (isJoints(0) && isPoint(1)) || (isPoint(0) && isJoints(1)), !isPoint(2), !isJoints(2) {
        frames = 2
      } else if (isJoints(0) && isPoint(2)) || (isPoint(0) && isJoints(2)), !isJoints(1),
        sizes[1] > 4
      {
        frames = 1
      }
    } else if sizes.count == 4, isPoint(0), isJoints(2), sizes[1] > 4, sizes[3] <= 10 {
      // Graph networks use the order coordinates, frames, joints, people.
      order = [1, 3, 2, 0].map { axes[$0] }
    }
    if let frames { order = [axes[frames]] + axes.filter { $0 != axes[frames] } }
  }

  func ordered(_ array: NumpyArray) -> NumpyArray {
    if array.shape == shape { return array.ordered(order) }
    guard isBatch, array.shape.first == 1, array.shape.count > 1 else { return array }
    return array.ordered(Array(array.shape.indices.dropFirst()))
  }
}
