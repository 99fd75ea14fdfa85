import PoseModel

/// Recordings as text for timing: 17 joints, seeded, without meaning.
enum SyntheticText {
  static func recording(frames: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    let joints = Skeleton.vision3d.joints.map(\.name)
    let names = joints.map { "\"\($0)\"" }.joined(separator: ",")
    var text = Array(
      (#"{"format":"planklab-poses","version":1,"skeleton":"vision3d","joints":["#
        + names + #"],"frame":"camera","orientation":"portrait","body_height_m":1.8}"# + "\n")
        .utf8)
    text.reserveCapacity(frames * joints.count * 24)
    for frame in 0..<frames {
      text += Array("{\"t\":\(decimal(frame * 33_333, places: 6)),\"p\":[".utf8)
      for index in 0..<(joints.count * 3) {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text += Array(decimal(Int(random.next() % 20_000) - 10_000, places: 4).utf8)
      }
      text += Array("]}\n".utf8)
    }
    return text
  }

  private static func decimal(_ scaled: Int, places: Int) -> String {
    let digits = String(scaled.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return (scaled < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
  }
}

/// A stream of random numbers: SplitMix64 (Steele, Lea and Flood 2014).
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func uniform() -> Double { Double(next() >> 11) / Double(1 << 53) }

  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += uniform() }
    return sum
  }
}
