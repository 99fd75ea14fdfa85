package import PoseModel

extension BatchDetector {
  /// Classifies one stream of a recording: the same rules and debounce as `detect`, for callers
  /// that ask one question many times.
  ///
  /// - Parameters:
  ///   - columns: at least what the stream's list mentions.
  ///   - times: timestamps in seconds, one a frame.
  ///   - startsMid: whether the recording begins inside a hold.
  /// - Returns: the raw label, `Debouncer.undetermined` where there is none, and the answer of
  ///   every frame.
  /// - Complexity: O(frames x predicates).
  package func run(
    _ stream: AnswerStream, _ columns: MeasurementColumns, times: [Double], startsMid: Bool
  ) -> (raw: [UInt8], answers: [UInt8]) {
    var rules = labeler(stream)
    var debouncer = debouncer(stream, startsMid: startsMid)
    let measured = definition.list(stream).measurements.intersection(columns.measurements).members
    var raw = [UInt8](repeating: Debouncer.undetermined, count: times.count)
    var answers = [UInt8](repeating: 0, count: times.count)
    let block = 256
    withUnsafeTemporaryAllocation(of: Float.self, capacity: block * Measurement.count) { rows in
      rows.initialize(repeating: .nan)
      guard let base = rows.baseAddress else { return }
      for start in stride(from: 0, to: times.count, by: block) {
        let frames = start..<min(start + block, times.count)
        columns.copyRows(of: measured, frames, into: base)
        for frame in frames {
          let label = rules.classify(
            base + (frame - start) * Measurement.count, at: times[frame])
          raw[frame] = label
          answers[frame] = debouncer.update(label, at: times[frame])
        }
      }
    }
    return (raw: raw, answers: answers)
  }
}

extension MeasurementColumns {
  /// Writes frames as rows of `Measurement.count` numbers; other measurements stay as they are.
  fileprivate func copyRows(
    of measurements: [Measurement], _ frames: Range<Int>, into rows: UnsafeMutablePointer<Float>
  ) {
    for measurement in measurements {
      let column = self[measurement]
      var place = Int(measurement.rawValue)
      for frame in frames {
        rows[place] = column[frame]
        place += Measurement.count
      }
    }
  }
}
