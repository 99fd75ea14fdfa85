import CSweepKernels

/// Inputs with the memory that kernels need for them: all arrays are allocated before any timing.
final class KernelMemory {
  /// The calls.
  private(set) var calls: [KernelCall] = []
  /// The debounce lengths.
  let lengths: UnsafeBufferPointer<UInt32>
  /// Working memory of the kernel in C.
  let scratch: UnsafeMutableRawPointer
  private var allocations: [UnsafeMutableRawPointer] = []

  /// Copies inputs.
  init(_ inputs: [KernelInput], lengths all: [UInt32]) {
    let copy = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: all.count)
    _ = copy.initialize(from: all)
    lengths = UnsafeBufferPointer(copy)
    scratch = .allocate(byteCount: sweep_scratch_size(UInt32(all.count)), alignment: 64)
    calls = inputs.map(call)
  }

  deinit {
    lengths.deallocate()
    scratch.deallocate()
    for memory in allocations { memory.deallocate() }
  }

  private func call(_ input: KernelInput) -> KernelCall {
    let sequence = sweep_sequence(
      flags: copy(input.flags), valid: copy(input.valid), transitions: copy(input.transitions),
      runs: copy(input.runs), masked: copy(input.masked), events: copy(input.events),
      word_count: UInt32(input.wordCount), row_count: UInt32(input.rowCount),
      run_count: UInt32(input.runs.count), masked_count: UInt32(input.masked.count),
      event_count: UInt32(input.events.count))
    let rows = input.rows.map { UnsafePointer(copy($0)) }
    return KernelCall(
      sequence: sequence,
      rules: sweep_rules(
        labels: copy(input.labels), ends: copy(input.ends),
        rule_count: UInt32(input.labels.count), predicate_count: UInt32(input.isShared.count)),
      planes: input.planes, bits: copy(rows), nullableBits: copy(rows.map(Optional.some)),
      isShared: UnsafePointer(copy(input.isShared)),
      counts: answers(input.sumCount), hits: answers(input.events.count))
  }

  private func answers<Number: FixedWidthInteger>(
    _ count: Int
  ) -> UnsafeMutableBufferPointer<Number> {
    let all = count * lengths.count * Int(SWEEP_LANES)
    return UnsafeMutableBufferPointer(
      start: copy(Array(repeating: Number(0), count: all)), count: all)
  }

  private func copy<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let bytes = max(1, elements.count * MemoryLayout<Element>.stride)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    allocations.append(memory)
    return memory.initializeMemory(as: Element.self, from: elements, count: elements.count)
  }
}
