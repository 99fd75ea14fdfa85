@_spi(Bench) public import PoseModel

/// The detection of one recording in steps, so that steps can be timed.
public struct DetectionRun: Sendable {
  private var plankRules: RawLabeler
  private var formRules: RawLabeler
  private let measurements: MeasurementSet
  private let times: [Double]
  private var plankDebouncer: Debouncer
  private var formDebouncer: Debouncer
  private var next = 0

  /// The answers so far; frames that were not reached yet are undetermined.
  public private(set) var result: DetectionColumns

  /// Starts at the first frame of a recording.
  public init(_ detector: BatchDetector, times: [Double], startsMid: Bool) {
    plankRules = detector.labeler(.plank)
    formRules = detector.labeler(.form)
    plankDebouncer = detector.debouncer(.plank, startsMid: startsMid)
    formDebouncer = detector.debouncer(.form, startsMid: startsMid)
    measurements = detector.measurements
    self.times = times
    result = DetectionColumns(frameCount: times.count)
  }

  /// Classifies the frames up to, not including, `end`.
  public mutating func advance(to end: Int, _ columns: MeasurementColumns) {
    let members = measurements.members.map { columns[$0] }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: members.count) { values in
      values.initialize(repeating: .nan)
      guard let base = values.baseAddress else { return }
      while next < end {
        for (index, column) in members.enumerated() where !column.isEmpty {
          values[index] = column[next]
        }
        Self.step(&plankRules, &plankDebouncer, base, times[next], next, &result.plank)
        Self.step(&formRules, &formDebouncer, base, times[next], next, &result.form)
        next += 1
      }
    }
  }

  private static func step(
    _ rules: inout RawLabeler, _ debouncer: inout Debouncer, _ values: UnsafePointer<Float>,
    _ time: Double, _ frame: Int, _ columns: inout StreamColumns
  ) {
    let raw = rules.classify(values, at: time)
    columns.raw[frame] = raw
    columns.answers[frame] = debouncer.update(raw, at: time)
    columns.isHeld[frame] = debouncer.isHolding
  }
}

/// The answers of a detector over a recording.
public struct DetectionColumns: Hashable, Sendable {
  /// The plank stream.
  public internal(set) var plank: StreamColumns
  /// The form stream.
  public internal(set) var form: StreamColumns

  /// Makes columns of undetermined frames with empty answers.
  init(frameCount: Int) {
    plank = StreamColumns(frameCount: frameCount)
    form = StreamColumns(frameCount: frameCount)
  }

  /// The debounced answers to a frame.
  public func answer(at frame: Int) -> (plank: PlankClass, form: FormClass) {
    (
      plank: PlankClass(code: plank.answers[frame]) ?? .none,
      form: FormClass(code: form.answers[frame]) ?? .aligned
    )
  }

  /// The labels of a frame by the rules alone, nil where a stream is undetermined.
  public func rawLabel(at frame: Int) -> (plank: PlankClass?, form: FormClass?) {
    (plank: PlankClass(code: plank.raw[frame]), form: FormClass(code: form.raw[frame]))
  }

  /// The columns of a stream.
  public subscript(stream: AnswerStream) -> StreamColumns { stream == .plank ? plank : form }
}

/// The answers of one stream over a recording, one code per frame.
public struct StreamColumns: Hashable, Sendable {
  /// The labels given by the rules alone; `Debouncer.undetermined` if there is none.
  @_spi(Bench) public internal(set) var raw: [UInt8]
  /// The debounced answers.
  @_spi(Bench) public internal(set) var answers: [UInt8]
  /// Whether a frame is undetermined and kept an earlier answer.
  public internal(set) var isHeld: [Bool]

  /// Makes columns of undetermined frames with the empty answer.
  init(frameCount: Int) {
    raw = Array(repeating: Debouncer.undetermined, count: frameCount)
    answers = Array(repeating: 0, count: frameCount)
    isHeld = Array(repeating: false, count: frameCount)
  }

  /// Whether the rules gave a frame a label.
  public func isDetermined(at frame: Int) -> Bool { raw[frame] != Debouncer.undetermined }
}
