#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

// Errors in alerts and logs of an app read like errors in a terminal. Nothing else of the module
// uses Foundation, and Embedded Swift has none.
#if canImport(FoundationEssentials) || canImport(Foundation)
  extension DetectorError: LocalizedError {
    /// What is wrong and what to do; `localizedDescription` shows it.
    public var errorDescription: String? { description }
  }

  extension CalibrationError: LocalizedError {
    /// What is wrong and what to do; `localizedDescription` shows it.
    public var errorDescription: String? { description }
  }

  extension FrameOrderError: LocalizedError {
    /// What is wrong and what to do; `localizedDescription` shows it.
    public var errorDescription: String? { description }
  }

  extension ExpressionError: LocalizedError {
    /// What is wrong and what to do; `localizedDescription` shows it.
    public var errorDescription: String? { description }
  }

  extension StrategyError: LocalizedError {
    /// What is wrong and what to do; `localizedDescription` shows it.
    public var errorDescription: String? { description }
  }

  extension StrategyTextError: LocalizedError {
    /// What is wrong and what to do; `localizedDescription` shows it.
    public var errorDescription: String? { description }
  }
#endif
