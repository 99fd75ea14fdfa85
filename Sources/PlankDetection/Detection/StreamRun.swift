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
    let list = compiled(stream)
    var debouncer = debouncer(stream, startsMid: startsMid)
    let mentioned = definition.list(stream).measurements.members
      .filter { columns.measurements.contains($0) }
    let used = mentioned.map { (index: Int($0.rawValue), column: columns[$0]) }
    var raw = [UInt8](repeating: Debouncer.undetermined, count: times.count)
    var answers = [UInt8](repeating: 0, count: times.count)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Measurement.count) { values in
      values.initialize(repeating: .nan)
      guard let base = values.baseAddress else { return }
      for frame in times.indices {
        for (index, column) in used { values[index] = column[frame] }
        let label = list.classify(base)
        raw[frame] = label
        answers[frame] = debouncer.update(label, at: times[frame])
      }
    }
    return (raw: raw, answers: answers)
  }
}
