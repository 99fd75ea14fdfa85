// The functions that a page calls; pointers refer to the memory that the page shares with this
// module.
#if hasFeature(Embedded)
  internal import PlankDetection
  internal import PoseModel

  nonisolated(unsafe) private var openDetector: BatchDetector?
  nonisolated(unsafe) private var openSequence: SequenceExplainer?

  @_expose(wasm, "allocate") @_cdecl("page_allocate")
  func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16)
  }

  @_expose(wasm, "release") @_cdecl("page_release")
  func release(_ room: UnsafeMutableRawPointer) { room.deallocate() }

  /// Returns the number of the detector's measurements, or -1 for lines that cannot be read.
  @_expose(wasm, "open_detector") @_cdecl("page_open_detector")
  func open(detector text: UnsafePointer<UInt8>, _ count: Int) -> Int {
    let bytes = UnsafeBufferPointer(start: text, count: count)
    openDetector = try? DetectorLines.detector(of: String(decoding: bytes, as: UTF8.self))
    return openDetector?.measurements.members.count ?? -1
  }

  /// The form rules subtract `offset` from the measurement of a column; if there is no such column,
  /// they subtract nothing.
  @_expose(wasm, "open_sequence") @_cdecl("page_open_sequence")
  func open(
    sequence values: UnsafePointer<Float>, _ times: UnsafePointer<Double>, _ frameCount: Int,
    _ startsMid: Int, _ column: Int, _ offset: Double
  ) {
    guard let openDetector else { return }
    let count = openDetector.measurements.members.count * frameCount
    openSequence = SequenceExplainer(
      openDetector, values: Array(UnsafeBufferPointer(start: values, count: count)),
      times: Array(UnsafeBufferPointer(start: times, count: frameCount)), startsMid: startsMid != 0,
      offset: (place: column, value: offset))
  }

  /// Stream 0 is plank, and stream 1 is form.
  @_expose(wasm, "write_frames") @_cdecl("page_write_frames")
  func writeFrames(_ stream: Int, _ room: UnsafeMutablePointer<UInt32>) -> Int {
    write(openSequence?.frames(stream == 0 ? .plank : .form), room)
  }

  @_expose(wasm, "write_comparisons") @_cdecl("page_write_comparisons")
  func writeComparisons(
    _ stream: Int, _ frame: Int, _ room: UnsafeMutablePointer<UInt32>
  ) -> Int {
    write(openSequence?.comparisons(stream == 0 ? .plank : .form, at: frame), room)
  }

  private func write(_ numbers: [UInt32]?, _ room: UnsafeMutablePointer<UInt32>) -> Int {
    guard let numbers else { return 0 }
    for (index, number) in numbers.enumerated() { room[index] = number }
    return numbers.count
  }
#endif
