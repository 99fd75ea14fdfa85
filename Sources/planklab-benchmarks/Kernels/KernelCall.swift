import CSweepKernels

/// One input of a kernel in memory, and where its answers go.
struct KernelCall {
  let sequence: sweep_sequence
  let rules: sweep_rules
  /// Bits of a label.
  let planes: Int
  /// Eight rows a predicate.
  let bits: UnsafeMutablePointer<UnsafePointer<UInt64>>
  /// The same rows as C takes them.
  let nullableBits: UnsafeMutablePointer<UnsafePointer<UInt64>?>
  /// Whether all lanes of a predicate read its first row.
  let isShared: UnsafePointer<UInt8>
  /// The numbers of every debounce length, lanes side by side.
  let counts: UnsafeMutableBufferPointer<UInt64>
  /// The first hits of every debounce length, lanes side by side.
  let hits: UnsafeMutableBufferPointer<UInt32>
}
