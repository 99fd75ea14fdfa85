extension MeasurementColumns {
  /// Applies a strategy's steps on measurements to columns that were measured before.
  ///
  /// A detector that smooths while it measures gives the same numbers to the bit.
  package func smoothed(by strategy: SmoothingStrategy, times: [Double]) -> MeasurementColumns {
    precondition(times.count == frameCount, "one time a frame")
    var smoother = MeasurementSmoother(strategy, measurements.members)
    guard !smoother.isEmpty else { return self }
    var result = mapped { _, column in column }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Measurement.count) { values in
      values.initialize(repeating: .nan)
      guard let base = values.baseAddress else { return }
      for frame in 0..<frameCount {
        for measurement in measurements.members {
          base[Int(measurement.rawValue)] = self[measurement][frame]
        }
        smoother.smooth(base, at: times[frame])
        result.store(base, measurements.members, at: frame)
      }
    }
    return result
  }

  /// Columns of the same measurements with other numbers, one a frame.
  package func mapped(_ transform: (Measurement, [Float]) -> [Float]) -> MeasurementColumns {
    let columns = measurements.members.map { ($0, transform($0, self[$0])) }
    return MeasurementColumns(
      frameCount: frameCount, columns: Dictionary(uniqueKeysWithValues: columns))
  }
}

extension Measurement {
  /// A column without jumps of a turn, for filters that need the whole of it; NaN where missing.
  package func unwrapped(_ column: [Double], times: [Double]) -> [Double] {
    guard fullTurn != nil else { return column }
    var unwrapper = AngleUnwrapper()
    return zip(column, times).map { $0.isNaN ? .nan : unwrapper.unwrap($0, at: $1) }
  }

  /// A number of an unwrapped column as the measurement is defined.
  package func wrapped(_ value: Double) -> Double {
    guard let fullTurn, value.isFinite else { return value }
    return AngleUnwrapper.wrap(value, to: fullTurn)
  }
}
