package import PlankDetection
package import PoseModel

/// A smoothing strategy as the bench compares it.
///
/// Apps can run a chain of causal filters. A filter that looks ahead shows the best that a causal
/// one could achieve.
package enum SmoothingChoice: Hashable, Sendable {
  case causal(SmoothingStrategy)
  case offline(StrategySettings<OfflineKind>, SmoothingTarget)

  package static let none = SmoothingChoice.causal(.none)

  package var isCausal: Bool {
    if case .causal = self { return true }
    return false
  }

  package var isNone: Bool { self == .none }

  /// Whether joints are smoothed.
  ///
  /// If not, measurements can be computed once without smoothing and then smoothed by `smooth`.
  package var smoothsJoints: Bool {
    switch self {
    case .causal(let strategy): strategy.steps.contains { $0.target == .joints }
    case .offline(_, let target): target == .joints
    }
  }
}

extension SmoothingChoice {
  /// Parses steps joined by `+`, each `name:key=value,...@joints` or
  /// `name:key=value,...@measurements`.
  ///
  /// Missing parameters take their defaults, and the default target is `joints`.
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

  package var text: String {
    switch self {
    case .causal(let strategy): strategy.text
    case .offline(let settings, let target): settings.text + "@" + target.rawValue
    }
  }

  package var shortText: String {
    switch self {
    case .causal(let strategy):
      strategy.isEmpty
        ? SmoothingKind.none.rawValue
        : strategy.steps.map(\.settings.shortText).joined(separator: "+")
    case .offline(let settings, _): settings.shortText
    }
  }

  package static var names: [String] {
    SmoothingKind.allCases.map(\.rawValue) + OfflineKind.allCases.map(\.rawValue)
  }
}

extension SmoothingChoice: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(text: container.decode(String.self))
    } catch let error as StrategyTextError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension SmoothingChoice {
  package enum Filter: Hashable, Sendable {
    case causal(SmoothingKind)
    case offline(OfflineKind)
  }

  package var filters: [Filter] {
    switch self {
    case .causal(let strategy): strategy.steps.map { .causal($0.settings.kind) }
    case .offline(let settings, _): [.offline(settings.kind)]
    }
  }
}

extension SmoothingChoice {
  /// Measures a recording for a detector without smoothing of its own.
  ///
  /// Causal chains give exactly the numbers of the streaming detector.
  package func measure(
    _ recording: Recording, _ detector: BatchDetector, also extra: MeasurementSet = []
  ) -> MeasurementColumns {
    let wanted = detector.measurements.union(extra)
    switch self {
    case .causal(let strategy): return detector.measure(recording, also: extra, smoothing: strategy)
    case .offline(_, .joints):
      return measure(
        recording, wanted, joints: smoothedJoints(of: recording), reading: detector.definition.axes)
    case .offline(_, .measurements):
      let plain = MeasurementColumns(recording, wanted, reading: detector.definition.axes)
      return smooth(plain, times: recording.times)
    }
  }

  /// Measures a recording from the joints of `smoothedJoints`.
  ///
  /// The numbers equal those of `measure` for a whole recording: readers refuse a pose whose up
  /// direction is unknown, so both methods smooth the same frames.
  package func measure(
    _ recording: Recording, _ measurements: MeasurementSet, joints: [Double], reading: AxisReading
  ) -> MeasurementColumns {
    var columns = MeasurementColumns(measurements: measurements, frameCount: recording.frameCount)
    columns.measure(recording, smoothedJoints: joints, reading: reading)
    return smooth(columns, times: recording.times)
  }

  /// Applies only steps on measurements, because joints are smoothed before columns are computed.
  package func smooth(_ columns: MeasurementColumns, times: [Double]) -> MeasurementColumns {
    switch self {
    case .causal(let strategy): return columns.smoothed(by: strategy, times: times)
    case .offline(_, .joints): return columns
    case .offline(let settings, .measurements):
      return columns.mapped { measurement, column in
        let angle = measurement.unwrapped(column.map(Double.init), times: times)
        return settings.smooth(angle, times: times).map { Float(measurement.wrapped($0)) }
      }
    }
  }

  package func smoothedJoints(of recording: Recording) -> [Double] {
    switch self {
    case .causal(let strategy): return recording.smoothedJoints(by: strategy)
    case .offline(_, .measurements): return recording.smoothedJoints(by: .none)
    case .offline(let settings, .joints):
      let stride = JointLayout.full.stride
      var joints = recording.smoothedJoints(by: .none)
      for joint in recording.layout.joints {
        for axis in 0..<3 {
          let places = (0..<recording.frameCount).map { $0 * stride + 3 * joint.index + axis }
          let smoothed = settings.smooth(places.map { joints[$0] }, times: recording.times)
          for (place, value) in zip(places, smoothed) { joints[place] = value }
        }
      }
      return joints
    }
  }
}

extension SmoothingChoice {
  package func smooth(_ values: [Double], times: [Double]) -> [Double] {
    precondition(values.count == times.count, "one time per sample")
    switch self {
    case .causal(let strategy):
      var smoother = SignalSmoother(strategy)
      return zip(values, times).map { smoother.update($0, at: Seconds($1)) ?? .nan }
    case .offline(let settings, _): return settings.smooth(values, times: times)
    }
  }
}

package struct StrategyCatalogue {
  package struct Entry: Hashable, Sendable {
    package let name: String
    package let summary: String
    package let isCausal: Bool
    package let example: String
    package let parameters: [ParameterDefinition]
    package let alternatives: [ParameterKey]
    /// Whether a missing parameter takes its default; for `bands`, a missing parameter has no band.
    package let hasDefaults: Bool

    fileprivate init<Kind: StrategyKind>(_ kind: Kind, isCausal: Bool) {
      name = kind.rawValue
      summary = kind.summary
      self.isCausal = isCausal
      parameters = kind.parameters
      alternatives = kind.alternatives
      example = (try? StrategySettings(kind))?.text ?? kind.rawValue
      hasDefaults = true
    }

    fileprivate init(bands example: DebounceStrategy) {
      name = DebounceStrategy.bandsName
      summary = "a threshold is crossed only half a width beyond it, in either direction"
      isCausal = true
      parameters = DebounceStrategy.bandWidths()
      alternatives = []
      self.example = example.text
      hasDefaults = false
    }
  }

  package static let smoothing: [Entry] =
    SmoothingKind.allCases.map { Entry($0, isCausal: true) }
    + OfflineKind.allCases.map { Entry($0, isCausal: false) }

  package static let debounce: [Entry] =
    DebounceKind.allCases.map { Entry($0, isCausal: true) } + [Entry(bands: exampleBands)]

  private static let exampleBands: DebounceStrategy = {
    do {
      return try DebounceStrategy(text: "bands:side_rise=2cm,elbow_split=5deg")
    } catch {
      preconditionFailure("the example of bands is a valid strategy: \(error)")
    }
  }()
}
