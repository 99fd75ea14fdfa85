public import PoseModel

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
    guard next < end else { return }
    columns.forEachRow(of: measurements, in: next..<end) { frame, row in
      result.plank.take(frame, row, at: times[frame], &plankRules, &plankDebouncer)
      result.form.take(frame, row, at: times[frame], &formRules, &formDebouncer)
    }
    next = end
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
  package internal(set) var raw: [UInt8]
  /// The debounced answers.
  package internal(set) var answers: [UInt8]
  /// Whether a frame is undetermined and kept an earlier answer.
  public internal(set) var isHeld: [Bool]

  /// Makes columns of undetermined frames with the empty answer.
  init(frameCount: Int) {
    raw = Array(repeating: Debouncer.undetermined, count: frameCount)
    answers = Array(repeating: 0, count: frameCount)
    isHeld = Array(repeating: false, count: frameCount)
  }

  /// Takes what the rules and the debounce answer to the next frame.
  ///
  /// - Parameter row: the frame's measurements in the order of the rules'.
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
