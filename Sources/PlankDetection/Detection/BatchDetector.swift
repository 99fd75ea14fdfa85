public import PoseModel

/// Runs a detector over whole recordings, with the same answers as `PlankDetector` for every frame.
public struct BatchDetector: Sendable {
  /// The definition of the detector.
  public let definition: DetectorDefinition
  /// The parameters of this run.
  public let parameters: ParameterValues
  /// How joints and measurements are smoothed.
  public let smoothing: SmoothingStrategy
  /// How raw labels are debounced.
  public let debounce: DebounceStrategy
  /// The correction of the form rules' measurement for this person; nil for no correction.
  public private(set) var calibration: Calibration?
  /// All measurements that the rules use, and the body angle for the grade.
  public let measurements: MeasurementSet
  /// The body angles that separate the grades.
  public let gradeBands: GradeBands
  private let plankList: CompiledList
  private let formList: CompiledList
  private var calibratedFormList: CompiledList
  private let plankNeed: DebounceNeed
  private let formNeed: DebounceNeed
  private let holdSeconds: Seconds

  /// Combines a detector with parameters and strategies.
  ///
  /// - Throws: `DetectorError` for parameters of another detector, for strategies that do not fit
  ///   the parameters, and for a calibration of a measurement that no form rule compares.
  public init(
    _ definition: DetectorDefinition, parameters: ParameterValues? = nil,
    smoothing: SmoothingStrategy = .none, debounce: DebounceStrategy = .parameters,
    calibration: Calibration? = nil
  ) throws(DetectorError) {
    self.definition = definition
    self.parameters = parameters ?? definition.defaults
    self.smoothing = smoothing
    self.debounce = debounce
    let calibrated = definition.calibrated
    try Self.check(debounce.bands, definition, calibrated.form)
    let measurements = definition.measurements.union([.bodyAngle])
    self.measurements = measurements
    let values = self.parameters
    func compiled(_ list: DecisionList) throws(DetectorError) -> CompiledList {
      try CompiledList(list, values, of: measurements, bands: debounce.bands)
    }
    plankList = try compiled(definition.plank)
    formList = try compiled(definition.form)
    calibratedFormList = try compiled(calibrated.form)
    gradeBands = GradeBands(values)
    plankNeed = try Self.need(.plank, .plankFrames, values, debounce)
    formNeed = try Self.need(.form, .formFrames, values, debounce)
    holdSeconds = Seconds(try values.require(.holdSeconds))
    try calibrate(calibration)
  }

  /// Returns the detector with another calibration, or without one if `calibration` is nil.
  ///
  /// - Throws: `DetectorError.unusedCalibration` if no form rule compares the calibrated
  ///   measurement.
  public func calibrated(by calibration: Calibration?) throws(DetectorError) -> BatchDetector {
    var detector = self
    try detector.calibrate(calibration)
    return detector
  }

  mutating func calibrate(_ calibration: Calibration?) throws(DetectorError) {
    if let calibration {
      let compared = definition.form.measurements.members
      let measurement = compared.first {
        $0.name == calibration.measurement && $0.unit == calibration.unit
      }
      guard let measurement else { throw .unusedCalibration(calibration, available: compared) }
      calibratedFormList.calibrate(
        measurements.index(of: measurement), by: Float(calibration.offset))
    }
    self.calibration = calibration
  }

  private static func check(
    _ bands: [SchmittBand], _ definition: DetectorDefinition, _ calibratedForm: DecisionList
  ) throws(DetectorError) {
    guard !bands.isEmpty else { return }
    let form = definition.form.parameterKeys
    let thresholds =
      definition.plank.parameterKeys + form
      + calibratedForm.parameterKeys.filter { !form.contains($0) }
    for band in bands
    where !thresholds.contains(band.parameter) && !thresholds.contains(band.parameter.calibrated) {
      throw .bandWithoutThreshold(band.parameter, available: thresholds)
    }
  }

  private static func need(
    _ stream: AnswerStream, _ key: ParameterKey, _ parameters: ParameterValues,
    _ debounce: DebounceStrategy
  ) throws(DetectorError) -> DebounceNeed {
    let frames = try parameters.require(key)
    guard let rule = debounce[stream] else { return .frames(Int(frames)) }
    guard frames == 1 else { throw .debouncedTwice(stream, key, frames) }
    return DebounceNeed(rule)
  }

  package func list(_ stream: AnswerStream) -> DecisionList {
    (calibration == nil ? definition : definition.calibrated).list(stream)
  }

  /// The value of a measurement that the rules of a stream compare.
  ///
  /// In the form stream, the calibration's offset is subtracted from the calibrated measurement.
  public func compared(
    _ measurement: Measurement, _ stream: AnswerStream, _ columns: MeasurementColumns, at frame: Int
  ) -> MeasuredValue {
    let measured = columns.measured(measurement, at: frame)
    guard let calibration = calibration(of: measurement, stream) else { return measured }
    return MeasuredValue(stored: calibration.corrected(measured.stored))
  }

  private func calibration(of measurement: Measurement, _ stream: AnswerStream) -> Calibration? {
    stream == .form && calibration?.measurement == measurement.name ? calibration : nil
  }

  /// Measures a recording with this detector's smoothing, including any extra measurements.
  public func measure(
    _ recording: Recording, also extra: MeasurementSet = []
  ) -> MeasurementColumns {
    measure(recording, also: extra, smoothing: smoothing)
  }

  /// Measures a recording for this detector with a given smoothing.
  public func measure(
    _ recording: Recording, also extra: MeasurementSet = [], smoothing: SmoothingStrategy
  ) -> MeasurementColumns {
    var run = MeasurementRun(
      recording, measurements.union(extra), reading: definition.axes, smoothing: smoothing)
    run.advance(to: recording.frameCount, recording)
    return run.columns
  }

  /// Classifies the frames of a recording from its measurements.
  ///
  /// - Parameters:
  ///   - columns: at least `measurements`, already smoothed; a measurement without a column counts
  ///     as missing.
  ///   - times: the recording's timestamps in seconds, one per frame.
  ///   - startsMid: whether the recording starts inside a hold.
  public func detect(
    _ columns: MeasurementColumns, times: [Double], startsMid: Bool
  ) -> DetectionColumns {
    var run = DetectionRun(self, times: times, startsMid: startsMid)
    run.advance(to: times.count, columns)
    return run.result
  }

  var measurer: FrameMeasurer {
    FrameMeasurer(measurements, reading: definition.axes, smoothing: smoothing)
  }

  func labeler(_ stream: AnswerStream) -> RawLabeler {
    let form = calibration == nil ? formList : calibratedFormList
    return RawLabeler(stream == .plank ? plankList : form, holdSeconds: holdSeconds)
  }

  package func debouncer(_ stream: AnswerStream, startsMid: Bool) -> Debouncer {
    Debouncer(
      stream == .plank ? plankNeed : formNeed, holdSeconds: holdSeconds, startsMid: startsMid)
  }
}

extension BatchDetector {
  /// The evaluation of every rule of a stream on one frame, with thresholds after hysteresis.
  ///
  /// - Parameters:
  ///   - stream: the list whose rules are evaluated.
  ///   - columns: at least `measurements`, already smoothed.
  ///   - times: the recording's timestamps in seconds, one per frame.
  ///   - frame: the index of the frame in the recording.
  /// - Throws: `DetectorError.undefinedParameter` for a parameter that has no value.
  /// - Complexity: O(`frame`) if a threshold has hysteresis, otherwise constant.
  public func trace(
    _ stream: AnswerStream, _ columns: MeasurementColumns, times: [Double], at frame: Int
  ) throws(DetectorError) -> [RuleTrace] {
    var found: [RuleTrace] = []
    try forEachTrace(stream, columns, times: times, in: frame..<frame + 1) { found = $1 }
    return found
  }

  /// Calls `body` with the index of each frame and the frame's `trace`, in order.
  ///
  /// See `trace` for the other parameters.
  ///
  /// - Throws: `DetectorError.undefinedParameter` for a parameter that has no value.
  /// - Complexity: O(`frames.upperBound`) with hysteresis, otherwise O(frames).
  public func forEachTrace(
    _ stream: AnswerStream, _ columns: MeasurementColumns, times: [Double], in frames: Range<Int>,
    _ body: (Int, [RuleTrace]) -> Void
  ) throws(DetectorError) {
    try forEachFrame(stream, columns, times: times, in: frames) { tracer, frame, values, limits in
      body(frame, tracer.traces(values, thresholds: limits))
    }
  }

  /// The relative distance from each frame to a different decision; nil if no single comparison can
  /// change the decision.
  package func nearestDistances(
    _ stream: AnswerStream, _ columns: MeasurementColumns, times: [Double]
  ) throws(DetectorError) -> [Double?] {
    var distances = [Double?](repeating: nil, count: times.count)
    try forEachFrame(stream, columns, times: times, in: times.indices) {
      distances[$1] = $0.nearestDistance($2, thresholds: $3)
    }
    return distances
  }

  private func forEachFrame(
    _ stream: AnswerStream, _ columns: MeasurementColumns, times: [Double], in frames: Range<Int>,
    _ body: (RuleTracer, Int, [MeasuredValue], [Float]?) -> Void
  ) throws(DetectorError) {
    let tracer = try RuleTracer(list(stream), parameters)
    let used = tracer.measurements.map { measurement in
      (column: columns[measurement], calibration: calibration(of: measurement, stream))
    }
    let hasBands = !debounce.bands.isEmpty
    var rules = labeler(stream)
    let members = measurements.members.map { columns[$0] }
    var values = [Float](repeating: .nan, count: members.count)
    for frame in (hasBands ? 0 : frames.lowerBound)..<frames.upperBound {
      if frames.contains(frame) {
        body(
          tracer, frame,
          used.map { column, calibration in
            let stored = column.isEmpty ? MeasuredValue.missing.stored : column[frame]
            return MeasuredValue(stored: calibration?.corrected(stored) ?? stored)
          },
          hasBands ? rules.thresholds(at: times[frame]) : nil)
      }
      guard hasBands else { continue }
      for (index, column) in members.enumerated() where !column.isEmpty {
        values[index] = column[frame]
      }
      values.withUnsafeBufferPointer { values in
        if let base = values.baseAddress { _ = rules.classify(base, at: times[frame]) }
      }
    }
  }

  package func run(
    _ stream: AnswerStream, _ columns: MeasurementColumns, times: [Double],
    recordings: [Range<Int>]? = nil, startsMid: Bool
  ) -> StreamColumns {
    var result = StreamColumns(frameCount: times.count)
    for frames in recordings ?? [times.indices] {
      var rules = labeler(stream)
      var debouncer = debouncer(stream, startsMid: startsMid)
      columns.forEachRow(of: measurements, in: frames) { frame, row in
        result.take(frame, row, at: times[frame], &rules, &debouncer)
      }
    }
    return result
  }
}

extension MeasurementColumns {
  @inline(__always) func forEachRow(
    of wanted: MeasurementSet, in frames: Range<Int>, _ body: (Int, UnsafePointer<Float>) -> Void
  ) {
    let (block, width) = (256, wanted.members.count)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: max(1, block * width)) { rows in
      rows.initialize(repeating: .nan)
      guard let base = rows.baseAddress else { return }
      for start in stride(from: frames.lowerBound, to: frames.upperBound, by: block) {
        let part = start..<min(start + block, frames.upperBound)
        copyRows(of: wanted, part, into: base)
        for frame in part { body(frame, base + (frame - start) * width) }
      }
    }
  }

  /// Leaves the rows of measurements without a column unchanged.
  func copyRows(
    of wanted: MeasurementSet, _ frames: Range<Int>, into rows: UnsafeMutablePointer<Float>
  ) {
    for (index, measurement) in wanted.members.enumerated() {
      let column = self[measurement]
      guard !column.isEmpty else { continue }
      var place = index
      for frame in frames {
        rows[place] = column[frame]
        place += wanted.members.count
      }
    }
  }
}

/// Runs a detector over a recording in steps of several frames, so that each step can be timed.
public struct DetectionRun: Sendable {
  private var plankRules: RawLabeler
  private var formRules: RawLabeler
  private let measurements: MeasurementSet
  private let times: [Double]
  private var plankDebouncer: Debouncer
  private var formDebouncer: Debouncer
  private var next = 0

  /// The answers so far; frames that have not been reached are undetermined.
  public private(set) var result: DetectionColumns

  /// Starts before the first frame of a recording.
  public init(_ detector: BatchDetector, times: [Double], startsMid: Bool) {
    plankRules = detector.labeler(.plank)
    formRules = detector.labeler(.form)
    plankDebouncer = detector.debouncer(.plank, startsMid: startsMid)
    formDebouncer = detector.debouncer(.form, startsMid: startsMid)
    measurements = detector.measurements
    self.times = times
    result = DetectionColumns(frameCount: times.count)
  }

  /// Classifies the frames before `end` that have not been classified yet.
  public mutating func advance(to end: Int, _ columns: MeasurementColumns) {
    guard next < end else { return }
    columns.forEachRow(of: measurements, in: next..<end) { frame, row in
      result.plank.take(frame, row, at: times[frame], &plankRules, &plankDebouncer)
      result.form.take(frame, row, at: times[frame], &formRules, &formDebouncer)
    }
    next = end
  }
}

/// The answers of a detector over a recording, in both streams.
public struct DetectionColumns: Hashable, Sendable {
  /// The answers of the plank stream.
  public internal(set) var plank: StreamColumns
  /// The answers of the form stream.
  public internal(set) var form: StreamColumns

  init(frameCount: Int) {
    plank = StreamColumns(frameCount: frameCount)
    form = StreamColumns(frameCount: frameCount)
  }

  /// The debounced answers for a frame.
  public func answer(at frame: Int) -> (plank: PlankClass, form: FormClass) {
    (
      plank: PlankClass(code: plank.answers[frame]) ?? .none,
      form: FormClass(code: form.answers[frame]) ?? .aligned
    )
  }

  /// The labels of a frame before debounce; nil for a stream in which the frame is undetermined.
  public func rawLabel(at frame: Int) -> (plank: PlankClass?, form: FormClass?) {
    (plank: PlankClass(code: plank.raw[frame]), form: FormClass(code: form.raw[frame]))
  }

  /// The answers of a stream.
  public subscript(stream: AnswerStream) -> StreamColumns { stream == .plank ? plank : form }
}

/// The answers of one stream over a recording, one code per frame.
public struct StreamColumns: Hashable, Sendable {
  /// The labels before debounce; `Debouncer.undetermined` for undetermined frames.
  package internal(set) var raw: [UInt8]
  package internal(set) var answers: [UInt8]
  /// For every frame, whether it is undetermined but keeps an earlier answer.
  public internal(set) var isHeld: [Bool]

  init(frameCount: Int) {
    raw = Array(repeating: Debouncer.undetermined, count: frameCount)
    answers = Array(repeating: 0, count: frameCount)
    isHeld = Array(repeating: false, count: frameCount)
  }

  @inline(__always) mutating func take(
    _ frame: Int, _ row: UnsafePointer<Float>, at time: Double, _ rules: inout RawLabeler,
    _ debouncer: inout Debouncer
  ) {
    raw[frame] = rules.classify(row, at: time)
    answers[frame] = debouncer.update(raw[frame], at: time)
    isHeld[frame] = debouncer.isHolding
  }

  /// Whether the rules gave a frame a label.
  public func isDetermined(at frame: Int) -> Bool { raw[frame] != Debouncer.undetermined }
}
