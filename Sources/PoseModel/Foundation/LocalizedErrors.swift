#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

// With these conformances, errors read the same in an app's alerts and logs as in a terminal. In
// this module, only this file and VisionFrames.swift use Foundation, which Embedded Swift lacks.
#if canImport(FoundationEssentials) || canImport(Foundation)
  extension MirroringError: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { description }
  }

  extension LabelOnsetError: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { description }
  }

  extension LabelTrackError: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { description }
  }

  extension ObservationError: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { description }
  }
#endif
