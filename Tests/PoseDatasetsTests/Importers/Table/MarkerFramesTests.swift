import PoseRecording
import Testing

@testable import PoseDatasets

@Suite("Markers of C3D files")
struct MarkerFramesTests {
  /// The file of one processor with two markers in two frames; the second is not seen at first.
  private func file(_ processor: UInt8, isFloat: Bool) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] {
      let bits = UInt16(truncatingIfNeeded: value)
      let bytes = [UInt8(bits & 255), UInt8(bits >> 8)]
      return processor == 86 ? bytes.reversed() : bytes
    }
    func float(_ value: Float) -> [UInt8] {
      let bits = (processor == 85 ? value * 4 : value).bitPattern
      let (high, low) = (word(Int(bits >> 16)), word(Int(bits & 0xFFFF)))
      return processor == 84 ? low + high : high + low
    }
    func parameter(_ name: String, _ type: UInt8, _ dimensions: [UInt8], _ data: [UInt8]) -> [UInt8]
    {
      let rest = [type, UInt8(dimensions.count)] + dimensions + data + [0]
      return [UInt8(name.utf8.count), 1] + Array(name.utf8) + word(rest.count + 2) + rest
    }
    func block(_ bytes: [UInt8]) -> [UInt8] {
      bytes + [UInt8](repeating: 0, count: 512 - bytes.count)
    }
    let header =
      [2, 0x50] + word(2) + word(1) + word(1) + word(2) + word(0) + float(isFloat ? -1 : 0.5)
      + word(3) + word(1) + float(50)
    let parameters =
      [1, 0x50, 1, processor] + [5, 0xFF] + Array("POINT".utf8) + word(3) + [0]
      + parameter("LABELS", 0xFF, [6, 2], Array("S:LHipRHip  ".utf8))
      + parameter("UNITS", 0xFF, [2], Array("mm".utf8))
    var data: [UInt8] = []
    for frame in 0..<2 {
      for marker in 0..<2 {
        let residual = frame == 0 && marker == 1 ? -1 : 0
        for value in [Float(frame), Float(marker), -2.5, Float(residual)] {
          data += isFloat ? float(value) : word(residual != 0 && value == -1 ? -1 : Int(value * 2))
        }
      }
      data += isFloat ? float(9) : word(9)
    }
    return block(header) + block(parameters) + block(data)
  }

  @Test(
    "Numbers of three processors are read, whole or with a fraction",
    arguments: [84, 85, 86] as [UInt8], [true, false])
  func numbers(processor: UInt8, isFloat: Bool) throws {
    let bytes = file(processor, isFloat: isFloat)
    #expect(MarkerFrames.isC3D(bytes))
    let markers = try MarkerFrames(NamedBytes(name: "a.c3d", bytes: bytes))
    #expect(markers.count == 2 && markers.unit == "mm")
    let node = markers.node(1)
    #expect(node.objectKeys == ["frame", "time", "S:LHip", "RHip"])
    #expect(node["time"]?.number == 0.02)
    #expect(node["RHip"]?.flatNumbers == [1, 1, -2.5])
    #expect(markers.node(0)["RHip"]?.isEmpty ?? false)
  }

  @Test("A file that ends early is refused")
  func truncated() {
    let bytes = Array(file(84, isFloat: true).prefix(1060))
    #expect(throws: PoseSourceError.self) {
      try MarkerFrames(NamedBytes(name: "a.c3d", bytes: bytes))
    }
  }
}
