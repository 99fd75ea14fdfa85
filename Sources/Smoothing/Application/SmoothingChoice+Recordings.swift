package import PlankDetection
package import PoseModel

extension SmoothingChoice {
  /// Measures a recording through this smoothing, for a detector without one of its own.
  ///
  /// Causal chains give what the streaming detector gives, to the bit. This is what an axis of
  /// smoothing strategies needs: a function from a recording and a detector to columns.
  ///
  /// - Parameters:
  ///   - recording: the poses.
  ///   - detector: says what must be measured and along which axes.
  ///   - extra: what else to measure.
  package func measure(
    _ recording: Recording, _ detector: BatchDetector, also extra: MeasurementSet = []
  ) -> MeasurementColumns {
    let wanted = detector.measurements.union(extra)
    switch self {
    case .causal(let strategy):
      return detector.measure(recording, also: extra, smoothing: strategy)
    case .offline(_, .joints):
      var columns = MeasurementColumns(
        measurements: wanted, frameCount: recording.frameCount)
      columns.measure(
        recording, smoothedJoints: smoothedJoints(of: recording),
        reading: detector.definition.axes)
      return columns
    case .offline(_, .measurements):
      let plain = MeasurementColumns(recording, wanted, reading: detector.definition.axes)
      return smooth(plain, times: recording.times)
    }
  }

  /// Smooths columns that were measured before.
  ///
  /// Only steps on measurements apply; columns are made from joints already.
  package func smooth(_ columns: MeasurementColumns, times: [Double]) -> MeasurementColumns {
    switch self {
    case .causal(let strategy): return columns.smoothed(by: strategy, times: times)
    case .offline(_, .joints): return columns
    case .offline(let settings, .measurements):
      let filter = OfflineFilter(settings)
      return columns.mapped { measurement, column in
        let angle = measurement.unwrapped(column.map(Double.init), times: times)
        return filter.smooth(angle, times: times).map { Float(measurement.wrapped($0)) }
      }
    }
  }

  /// The recording with its joints smoothed, in the axes of evaluation, rounded to `Float`.
  ///
  /// Pelvis positions come out in the camera's axes, so the result is a camera recording. A frame
  /// that is missing stays without a pose. Steps on measurements do not apply.
  package func smooth(_ recording: Recording) -> Recording {
    guard recording.layout.dimension == 3 else { return recording }
    var header = recording.header
    if header.frame == .pelvis { header.frame = .camera }
    var result = Recording(header: header)
    result.reserveCapacity(recording.frameCount)
    let joints = smoothedJoints(of: recording)
    let stride = JointLayout.full.stride
    for frame in 0..<recording.frameCount {
      var extras = recording.extras(at: frame)
      if recording.header.frame == .pelvis { extras.camera = nil }
      let pose = recording.layout.joints.flatMap { joint in
        joints[(frame * stride + 3 * joint.index)...].prefix(3).map { Float($0) }
      }
      result.append(
        time: Seconds(recording.times[frame]), pose: recording.isMissing(at: frame) ? nil : pose,
        extras: extras)
    }
    return result
  }

  /// Three numbers a joint of `Joint.allCases` and frame, smoothed, NaN where missing.
  private func smoothedJoints(of recording: Recording) -> [Double] {
    let stride = JointLayout.full.stride
    var result = [Double](repeating: .nan, count: recording.frameCount * stride)
    for joint in recording.layout.joints {
      let track = (0..<recording.frameCount).map {
        recording.evaluatedPosition(of: joint, at: $0) ?? Vector3(.nan, .nan, .nan)
      }
      for (axis, part) in [\Vector3.x, \.y, \.z].enumerated() {
        let smoothed = smoothOnJoints(track.map { $0[keyPath: part] }, recording.times)
        for frame in smoothed.indices {
          result[frame * stride + 3 * joint.index + axis] = smoothed[frame]
        }
      }
    }
    return result
  }

  private func smoothOnJoints(_ values: [Double], _ times: [Double]) -> [Double] {
    switch self {
    case .causal(let strategy):
      guard let onJoints = try? SmoothingStrategy(strategy.steps(on: .joints)) else {
        return values
      }
      return SmoothingChoice.causal(onJoints).smooth(values, times: times)
    case .offline(_, .joints): return smooth(values, times: times)
    case .offline(_, .measurements): return values
    }
  }
}
