import PoseModel

/// The numbers of a position or of a matrix, however they are nested.
struct DumpNumbers: Decodable {
  /// The numbers in order.
  let values: [Double]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let columns = try? container.decode([[Double]].self) {
      values = columns.flatMap(\.self)
    } else {
      values = try container.decode([Double].self)
    }
  }

  /// The translation: three numbers, or the last column of 16 in column-major order.
  var position: Vector3? {
    switch values.count {
    case 3: Vector3(values[0], values[1], values[2])
    case 16: Vector3(values[12], values[13], values[14])
    default: nil
    }
  }
}

/// A point of an image, as a pair of numbers or with names.
struct DumpPoint: Decodable {
  /// The point, normalized, from the lower left corner.
  let point: ImagePoint

  private enum Keys: String, CodingKey {
    case x
    case y
  }

  init(from decoder: any Decoder) throws {
    if let named = try? decoder.container(keyedBy: Keys.self) {
      point = ImagePoint(
        x: try named.decode(Double.self, forKey: .x), y: try named.decode(Double.self, forKey: .y))
      return
    }
    let container = try decoder.singleValueContainer()
    let pair = try container.decode([Double].self)
    guard pair.count == 2 else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(pair.count) numbers where a point has 2")
    }
    point = ImagePoint(x: pair[0], y: pair[1])
  }
}

/// A joint of a frame: its numbers alone, or an object that also tells its image.
struct DumpJoint: Decodable {
  /// The position relative to the root, in meters.
  let position: DumpNumbers
  /// Where Vision projects the joint to, where logged.
  let pointInImage: DumpPoint?

  private enum Keys: String, CodingKey {
    case position
    case pointInImage
  }

  init(from decoder: any Decoder) throws {
    if let named = try? decoder.container(keyedBy: Keys.self) {
      position = try named.decode(DumpNumbers.self, forKey: .position)
      pointInImage = try named.decodeIfPresent(DumpPoint.self, forKey: .pointInImage)
      return
    }
    position = try DumpNumbers(from: decoder)
    pointInImage = nil
  }
}

/// Vision's word for where a height comes from, or its raw value.
struct DumpHeightEstimation: Decodable {
  /// Where the height comes from.
  let estimation: HeightEstimation

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let byNumber: [Int: HeightEstimation] = [0: .reference, 1: .measured]
    let number = try? container.decode(Int.self)
    let word = try? container.decode(String.self)
    guard let found = number.flatMap({ byNumber[$0] }) ?? word.flatMap(HeightEstimation.init)
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "neither reference (0) nor measured (1)")
    }
    estimation = found
  }
}
