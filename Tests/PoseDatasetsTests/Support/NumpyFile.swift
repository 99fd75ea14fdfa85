import Foundation

@testable import PoseDatasets

/// Bytes as NumPy writes them, from the published descriptions of `.npy` and ZIP.
enum NumpyFile {
  /// An array of format version 1.
  static func npy(
    _ values: [Float], shape: [Int], type: String = "<f4", order: String = "False"
  ) -> [UInt8] {
    npy(values.flatMap { bytes($0.bitPattern) }, shape: shape, type: type, order: order)
  }

  /// An array of numbers of 8 bytes.
  static func npy(doubles values: [Double], shape: [Int]) -> [UInt8] {
    npy(values.flatMap { bytes($0.bitPattern) }, shape: shape, type: "<f8", order: "False")
  }

  /// An array whose numbers are bytes already.
  static func npy(_ data: [UInt8], shape: [Int], type: String, order: String) -> [UInt8] {
    let tuple = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    return npy(
      data, header: "{'descr': '\(type)', 'fortran_order': \(order), 'shape': (\(tuple)), }")
  }

  /// An array with any header.
  static func npy(_ data: [UInt8], header text: String) -> [UInt8] {
    let padding = 64 - (10 + text.utf8.count + 1) % 64
    let header = Array((text + String(repeating: " ", count: padding) + "\n").utf8)
    return [0x93] + Array("NUMPY".utf8) + [1, 0] + bytes(UInt16(header.count)) + header + data
  }

  /// An archive.
  static func npz(
    _ arrays: [(name: String, bytes: [UInt8])], isDeflated: Bool = false
  ) -> [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for array in arrays {
      let name = Array((array.name + ".npy").utf8)
      let packed = isDeflated ? deflated(array.bytes) : array.bytes
      let fields =
        bytes(UInt16(20)) + bytes(UInt16(0)) + bytes(UInt16(isDeflated ? 8 : 0)) + bytes(UInt32(0))
        + bytes(checksum(array.bytes)) + bytes(UInt32(packed.count))
        + bytes(UInt32(array.bytes.count)) + bytes(UInt16(name.count)) + bytes(UInt16(0))
      directory +=
        bytes(UInt32(0x0201_4B50)) + bytes(UInt16(20)) + fields + bytes(UInt16(0))
        + bytes(UInt16(0)) + bytes(UInt16(0)) + bytes(UInt32(0)) + bytes(UInt32(file.count)) + name
      file += bytes(UInt32(0x0403_4B50)) + fields + name + packed
    }
    let count = bytes(UInt16(arrays.count))
    let end =
      bytes(UInt32(0x0605_4B50)) + bytes(UInt32(0)) + count + count
      + bytes(UInt32(directory.count)) + bytes(UInt32(file.count)) + bytes(UInt16(0))
    return file + directory + end
  }

  /// A text as gzip packs it (RFC 1952).
  static func gzip(_ text: String) -> [UInt8] {
    let contents = Array(text.utf8)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + deflated(contents) + bytes(checksum(contents))
      + bytes(UInt32(contents.count))
  }

  /// The four arrays of an encoder with one axis more, for one image.
  static func arrays(_ images: [PoseNetEncoder]) -> [(name: String, bytes: [UInt8])] {
    guard let first = images.first else { return [] }
    let shape = [images.count, first.rows, first.columns]
    return [
      ("heatmaps", npy(images.flatMap(\.heatmaps), shape: shape + [17])),
      ("offsets", npy(images.flatMap(\.offsets), shape: shape + [34])),
      ("displacements_fwd", npy(images.flatMap(\.forward), shape: shape + [32])),
      ("displacements_bwd", npy(images.flatMap(\.backward), shape: shape + [32])),
    ]
  }

  static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }

  /// A raw stream: that of zlib without its two bytes before and four behind.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    Array((PackedBytes.deflated(bytes, .code) ?? []).dropFirst(2).dropLast(4))
  }

  /// CRC-32, bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
  }
}
