package import PoseModel

extension Recording {
  /// A copy in which the header, every time and every position are changed; the header keeps the
  /// number of joints.
  package func changed(
    header change: (inout RecordingHeader) -> Void = { _ in },
    time: (Double) -> Double = { $0 }, position: (Vector3) -> Vector3 = { $0 }
  ) -> Recording {
    var header = header
    change(&header)
    var copy = Recording(header: header)
    for frame in 0..<frameCount {
      let pose = layout.joints.flatMap { joint -> [Float] in
        guard let place = self.position(of: joint, at: frame) else { return [.nan, .nan, .nan] }
        let changed = position(place)
        return [Float(changed.x), Float(changed.y), Float(changed.z)]
      }
      copy.append(
        time: Seconds(time(times[frame])), pose: hasPose(at: frame) ? pose : nil,
        extras: extras(at: frame))
    }
    return copy
  }

  /// What differs between two recordings, bit for bit.
  package func differences(from other: Recording) -> [String] {
    var found: [String] = []
    if header != other.header { found.append("header") }
    if times != other.times { found.append("times") }
    if positions.map(\.bitPattern) != other.positions.map(\.bitPattern) {
      found.append("positions")
    }
    if confidences.map(\.bitPattern) != other.confidences.map(\.bitPattern) {
      found.append("confidences")
    }
    guard frameCount == other.frameCount else { return found + ["number of frames"] }
    for frame in 0..<frameCount {
      if hasPose(at: frame) != other.hasPose(at: frame) { found.append("pose \(frame)") }
      if extras(at: frame) != other.extras(at: frame) { found.append("extras \(frame)") }
    }
    return found
  }
}
