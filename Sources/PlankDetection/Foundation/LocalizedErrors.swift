#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

// With these conformances, errors read the same in an app's alerts and logs as in a terminal. Only
// this file of the module uses Foundation, which Embedded Swift lacks.
#if canImport(FoundationEssentials) || canImport(Foundation)
  extension DetectorError: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { description }
  }

  extension CalibrationError: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { description }
  }

  extension FrameOrderError: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { description }
  }

  extension ExpressionError: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { description }
  }

  extension StrategyError: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { description }
  }

  extension StrategyTextError: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { description }
  }
#endif
