import Foundation
import PoseDatasets
import PoseModel

/// Loading a recording, beside `JSONDecoder` on the same bytes.
struct LoadBenchmark {
  /// What the decoder makes of a line.
  private struct DecodedFrame: Decodable {
    let t: Double
    let p: [Float?]?
  }

  /// The recording's text.
  let text: [UInt8]
  /// How many frames it has.
  let frames: Int

  /// Reads the recording with the product's reader.
  func read() throws -> Recording {
    try RecordingReader.read(bytes: text, name: "memory").recording
  }

  /// The checksum of a recording's times and positions.
  func checksum(_ recording: Recording) -> UInt64 {
    var sum = Checksum()
    for frame in 0..<recording.frameCount {
      sum.add(recording.times[frame])
      let start = frame * recording.layout.stride
      for index in 0..<recording.layout.stride { sum.add(recording.positions[start + index]) }
    }
    return sum.value
  }

  /// The checksum of the same numbers, decoded line by line.
  func decoderChecksum() throws -> UInt64 {
    let decoder = JSONDecoder()
    var sum = Checksum()
    for line in text.split(separator: UInt8(ascii: "\n")).dropFirst() {
      let frame = try decoder.decode(DecodedFrame.self, from: Data(line))
      sum.add(frame.t)
      for number in frame.p ?? [] { sum.add(number ?? .nan) }
    }
    return sum.value
  }
}
