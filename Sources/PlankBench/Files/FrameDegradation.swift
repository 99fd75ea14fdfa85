internal import Evaluation
internal import PoseDatasets
internal import PoseModel
internal import Statistics

enum FrameDegradation: Hashable, Sendable {
  case halved
  case dropped(Double)
  /// Each time has a normal error of this standard deviation; the order stays.
  case jitteredClock(Seconds)
  case beginning(frames: Int)
  case atMost(Hertz)
  /// Each joint gets white noise with its own standard deviation on holds of this sequence, so that
  /// the power of white noise doubles; a sequence without holds stays as it is.
  case noisier

  /// Draws come from `stream`; labels are tied to times and stay; frames without a pose stay
  /// missing.
  func applied(to sequence: DatasetSequence, _ stream: RandomStream) -> DatasetSequence {
    let recording = sequence.recording
    let noise = self == .noisier ? Self.jointNoise(of: sequence) : []
    let stride = recording.layout.stride
    var result = Recording(header: recording.header)
    var lastTime = -Double.infinity
    for frame in 0..<recording.frameCount {
      let recorded = recording.times[frame]
      guard let time = time(recorded, frame, recording.times[0], lastTime, stream) else { continue }
      var pose: [Float]?
      if recording.hasPose(at: frame) {
        let start = frame * stride
        pose = Array(recording.positions[start..<start + stride])
        for (place, deviation) in noise.enumerated() {
          pose?[place] += Float(stream.gaussian(standardDeviation: deviation))
        }
      }
      lastTime = time
      result.append(time: Seconds(time), pose: pose, extras: recording.extras(at: frame))
    }
    return DatasetSequence(
      name: sequence.name, recording: result, labels: sequence.labels,
      subject: sequence.subject, startsMid: sequence.startsMid, tags: sequence.tags,
      activities: sequence.activities)
  }

  private func time(
    _ time: Double, _ frame: Int, _ first: Double, _ last: Double, _ stream: RandomStream
  ) -> Double? {
    switch self {
    case .noisier: return time
    case .beginning(let frames): return frame < frames ? time : nil
    case .halved: return frame.isMultiple(of: 2) ? time : nil
    case .dropped(let share): return stream.bernoulli(share) ? nil : time
    case .jitteredClock(let deviation):
      return max(last + 0.001, time + stream.gaussian(standardDeviation: deviation.value))
    case .atMost(let rate):
      // Slots start a quarter early, so that a clock that jitters by less loses no slot.
      func slot(_ time: Double) -> Double {
        ((time - first) * rate.value + 0.25).rounded(.down)
      }
      return slot(time) > slot(last) ? time : nil
    }
  }

  /// The noise of every number of a frame on the sequence's holds, in meters; 0 if unknown.
  private static func jointNoise(of sequence: DatasetSequence) -> [Double] {
    let recording = sequence.recording
    let joints = JointSeries(recording)
    let holds = HoldSegments.find(in: sequence.truth())
    return recording.layout.joints.flatMap { joint in
      let noise = joints.noise(of: joint, on: holds, times: recording.times) ?? 0
      return Array(repeating: noise, count: recording.layout.dimension)
    }
  }
}
