internal import CSweepKernels

/// Which of the kernel's copies this machine runs; all give the same numbers.
package enum SweepKernelPath {
  /// Instruction sets, from the least demanding.
  package static let names = ["baseline", "avx2", "avx512"]

  /// The copy in use: the best that the machine has unless another was asked for.
  package static var current: String { String(cString: sweep_path()) }

  /// Takes a copy from now on; false where this machine lacks it.
  package static func use(_ name: String) -> Bool { sweep_force_path(name) == 1 }
}
