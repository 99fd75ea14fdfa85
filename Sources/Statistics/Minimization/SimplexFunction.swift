internal import CGSL

/// Carries a Swift function through the pointer that GSL hands to its callbacks.
final class SimplexFunction {
  private let function: ([Double]) -> Double

  init(_ function: @escaping ([Double]) -> Double) { self.function = function }

  /// The callback: reads the point, calls the function, and keeps infinities out of GSL.
  static let evaluate:
    @convention(c) (UnsafePointer<gsl_vector>?, UnsafeMutableRawPointer?) -> Double = {
      vector, context in
      guard let vector, let context else { return SimplexFunction.tooLarge }
      let box = Unmanaged<SimplexFunction>.fromOpaque(context).takeUnretainedValue()
      let value = box.function((0..<vector.pointee.size).map { gsl_vector_get(vector, $0) })
      return value.isFinite ? value : SimplexFunction.tooLarge
    }

  private static let tooLarge = 1e300
}
