import PoseModel
import PoseRecording

/// Arrays of NumPy as columns; frames are their first axis, or the axis of frames is moved there.
struct ArrayColumns: Sendable {
  let file: String
  /// The number of frames: the length of the first axis of the largest array.
  let count: Int
  let texts: [(name: String, texts: [String])]
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
    if let axis = ArrayAxes(arrays, names: texts.map(\.texts.count)).frames {
      let shape = arrays.max { $0.array.count < $1.array.count }?.array.shape ?? []
      arrays = arrays.map {
        ($0.name, $0.array.shape == shape ? $0.array.moving(axis: axis) : $0.array)
      }
      remarks.append(
        TableRemark(
          finding: "frames are axis \(axis + 1) of the array "
            + "(\(shape.map(String.init).joined(separator: " x ")))",
          evidence: "the other axes have the sizes of joints and coordinates"))
    }
    file = source.name
    self.arrays = arrays
    self.texts = texts
    remarks += unread.map { TableRemark(finding: "an array is ignored", evidence: $0) }
    let largest = arrays.max { $0.array.count < $1.array.count }?.array
    count = largest.map { $0.count == 0 ? 0 : $0.shape.first ?? 0 } ?? 0
  }

  var surroundings: JSONNode {
    let lists = texts.map { one in
      JSONNode(.list(one.texts.map { JSONNode(.text($0), line: 1) }), line: 1)
    }
    return JSONNode(.object(keys: texts.map(\.name), values: lists), line: 1)
  }

  /// The frame at an index: the slices of all arrays that have one per frame, and arrays of a
  /// single number.
  func node(_ index: Int) -> JSONNode {
    if isSingle, let array = arrays.first?.array { return Self.slice(index, of: array) }
    let values = arrays.map { one in
      // An array without numbers may claim any length.
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
  private(set) var frames: Int?

  init(_ arrays: [(name: String, array: NumpyArray)], names: [Int]) {
    guard let shape = arrays.max(by: { $0.array.count < $1.array.count })?.array.shape,
      shape.count == 2 || shape.count == 3, let first = shape.first
    else { return }
    let joints = Set(JointOrder.all.map(\.count) + names)
    let isJoints = { (axis: Int) in joints.contains(shape[axis]) }
    let isPoint = { (axis: Int) in (2...4).contains(shape[axis]) }
    // A list of times has as many numbers as there are frames.
    let lengths = Set(arrays.compactMap { $0.array.shape.count == 1 ? $0.array.shape[0] : nil })
    if !lengths.isEmpty, !lengths.contains(first) {
      let axes = shape.indices.filter { lengths.contains(shape[$0]) }
      if axes.count == 1 { frames = axes[0] }
      return
    }
    if shape.count == 2 {
      let isFlat = { (axis: Int) in
        joints.contains { [2 * $0, 3 * $0, 4 * $0].contains(shape[axis]) }
      }
      if isFlat(0), !isFlat(1), shape[1] > 4 { frames = 1 }
    } else if (isJoints(0) && isPoint(1)) || (isPoint(0) && isJoints(1)), !isPoint(2), !isJoints(2)
    {
      frames = 2
    } else if isJoints(0), isPoint(2), !isJoints(1), shape[1] > 4 {
      frames = 1
    }
  }
}
