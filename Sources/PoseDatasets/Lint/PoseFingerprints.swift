import PoseModel

/// One 64-bit hash for each pose of a recording, to find poses that occur in two files.
///
/// Equal positions give equal hashes whatever the order of the joints, the time or the text.
struct PoseFingerprints {
  /// The recording's file.
  let path: String
  /// A hash a pose, in time order; frames without any joint are left out.
  let hashes: [UInt64]
  /// The frame of each hash.
  let frames: [Int]
  /// A hash of all hashes.
  let whole: UInt64

  /// Hashes the poses of a recording.
  init(path: String, recording: Recording) {
    self.path = path
    var hashes: [UInt64] = []
    var frames: [Int] = []
    for frame in 0..<recording.frameCount where recording.hasPose(at: frame) {
      guard let hash = Self.hash(of: recording, at: frame) else { continue }
      hashes.append(hash)
      frames.append(frame)
    }
    self.hashes = hashes
    self.frames = frames
    whole = hashes.reduce(Self.seed, Self.mixed)
  }

  /// The hash of a run of poses.
  func hash(ofRunAt start: Int, length: Int) -> UInt64 {
    hashes[start..<(start + length)].reduce(Self.seed, Self.mixed)
  }

  private static func hash(of recording: Recording, at frame: Int) -> UInt64? {
    let layout = recording.layout
    let start = frame * layout.stride
    var hash = seed
    var isEmpty = true
    for offset in layout.offsets {
      let isPresent = offset >= 0 && recording.positions[start + offset].isFinite
      hash = mixed(hash, isPresent ? 1 : 0)
      guard isPresent else { continue }
      isEmpty = false
      for axis in 0..<layout.dimension {
        // Adding zero makes one zero of the two.
        let number = recording.positions[start + offset + axis] + 0
        hash = mixed(hash, UInt64(number.bitPattern))
      }
    }
    return isEmpty ? nil : hash
  }

  private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static func mixed(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    let product = (hash ^ value) &* 0xBF58_476D_1CE4_E5B9
    return product ^ (product >> 31)
  }
}
