package import PlankDetection
package import PoseModel

/// A smoothing strategy as the bench compares it: a chain of causal filters, which an app can ship,
/// or a filter that looks ahead, which shows the best that any causal one could do.
package enum SmoothingChoice: Hashable, Sendable {
  /// A chain of causal filters; the empty chain smooths nothing.
  case causal(SmoothingStrategy)
  /// A filter that needs the whole recording.
  case offline(StrategySettings<OfflineKind>, SmoothingTarget)

  /// No smoothing.
  package static let none = SmoothingChoice.causal(.none)

  /// Whether an answer does not depend on later frames.
  package var isCausal: Bool {
    if case .causal = self { return true }
    return false
  }

  /// Whether nothing is smoothed.
  package var isNone: Bool { self == .none }

  /// Whether joints are smoothed; otherwise measurements without smoothing can be made once and
  /// smoothed by `smooth`.
  package var smoothsJoints: Bool {
    switch self {
    case .causal(let strategy): strategy.steps.contains { $0.target == .joints }
    case .offline(_, let target): target == .joints
    }
  }
}

extension SmoothingChoice {
  /// Parses a strategy: steps joined by +, each `name:key=value,...@joints` or `@measurements`.
  ///
  /// Missing parameters take their defaults; the default target is `joints`.
  ///
  /// - Throws: `StrategyTextError` with the step, what was found and what is allowed.
  package init(text: String) throws {
    let steps = try StepText.steps(of: text)
    for step in steps {
      guard let kind = OfflineKind(rawValue: step.name) else { continue }
      guard steps.count == 1 else { throw StrategyTextError.lookingAhead(step: step.name) }
      self = .offline(try step.settings(kind), try step.smoothingTarget())
      return
    }
    self = .causal(try SmoothingStrategy(steps: steps, known: Self.names))
  }

  /// The strategy with every number; parsing it gives the same strategy.
  package var text: String {
    switch self {
    case .causal(let strategy):
      strategy.text
    case .offline(let settings, let target): settings.text + "@" + target.rawValue
    }
  }

  /// The strategy for a table: without targets, and without later parameters at their defaults.
  package var shortText: String {
    switch self {
    case .causal(let strategy):
      strategy.isEmpty
        ? SmoothingKind.none.rawValue
        : strategy.steps.map(\.settings.shortText).joined(separator: "+")
    case .offline(let settings, _): settings.shortText
    }
  }

  /// The names of all steps, causal ones first.
  package static var names: [String] {
    SmoothingKind.allCases.map(\.rawValue) + OfflineKind.allCases.map(\.rawValue)
  }
}

extension SmoothingChoice: Codable {
  /// Reads what `text` gives.
  ///
  /// - Throws: `DecodingError` for a text that is not a strategy.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(text: container.decode(String.self))
    } catch let error as StrategyTextError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the strategy as text with every number.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension SmoothingChoice {
  /// A filter without its parameters.
  package enum Filter: Hashable, Sendable {
    /// A causal filter.
    case causal(SmoothingKind)
    /// A filter that looks ahead.
    case offline(OfflineKind)
  }

  /// The filters in the order in which they are applied.
  package var filters: [Filter] {
    switch self {
    case .causal(let strategy): strategy.steps.map { .causal($0.settings.kind) }
    case .offline(let settings, _): [.offline(settings.kind)]
    }
  }
}

extension SmoothingChoice {
  /// Measures a recording with this smoothing, for a detector without smoothing of its own.
  ///
  /// Causal chains give exactly what the streaming detector gives. An axis of smoothing strategies
  /// needs this function from a recording and a detector to columns.
  ///
  /// - Parameters:
  ///   - recording: the poses.
  ///   - detector: says what to measure and along which axes.
  ///   - extra: further measurements.
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

  /// Measures a recording from its smoothed joints, which other work needs as well.
  ///
  /// The numbers are those of `measure`: readers refuse a pose whose up direction is unknown, so
  /// both smooth the same frames.
  ///
  /// - Parameter joints: what `smoothedJoints` gives for the recording.
  package func measure(
    _ recording: Recording, _ measurements: MeasurementSet, joints: [Double], reading: AxisReading
  ) -> MeasurementColumns {
    var columns = MeasurementColumns(
      measurements: measurements, frameCount: recording.frameCount)
    columns.measure(recording, smoothedJoints: joints, reading: reading)
    return smooth(columns, times: recording.times)
  }

  /// Smooths existing columns.
  ///
  /// Only steps on measurements apply, because columns are already made from joints.
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

  /// Three numbers per joint of `Joint.allCases` and frame, smoothed, in the axes of evaluation, NaN if
  /// missing.
  ///
  /// Steps on measurements do not apply.
  package func smoothedJoints(of recording: Recording) -> [Double] {
    guard case .offline(let settings, .joints) = self else {
      return recording.smoothedJoints(by: causalStrategy ?? .none)
    }
    let (filter, stride) = (OfflineFilter(settings), JointLayout.full.stride)
    var joints = recording.smoothedJoints(by: .none)
    for joint in recording.layout.joints {
      for axis in 0..<3 {
        let places = (0..<recording.frameCount).map { $0 * stride + 3 * joint.index + axis }
        let smoothed = filter.smooth(places.map { joints[$0] }, times: recording.times)
        for (place, value) in zip(places, smoothed) { joints[place] = value }
      }
    }
    return joints
  }

  /// The chain that an app could run; nil for a filter that looks ahead.
  private var causalStrategy: SmoothingStrategy? {
    guard case .causal(let strategy) = self else { return nil }
    return strategy
  }
}

extension SmoothingChoice {
  /// Smooths one signal over a recording's frames.
  ///
  /// - Parameters:
  ///   - values: one sample per frame, NaN if missing.
  ///   - times: one time per frame in seconds, increasing.
  /// - Returns: one number per frame, NaN if the sample is missing.
  package func smooth(_ values: [Double], times: [Double]) -> [Double] {
    precondition(values.count == times.count, "one time per sample")
    switch self {
    case .causal(let strategy):
      var smoother = SignalSmoother(strategy)
      return zip(values, times).map { smoother.update($0, at: Seconds($1)) ?? .nan }
    case .offline(let settings, _): return OfflineFilter(settings).smooth(values, times: times)
    }
  }
}
