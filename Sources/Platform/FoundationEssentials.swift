// The part of Foundation that the program uses is FoundationEssentials, which has no localization.
// Where that module exists, a static program for Linux is 14 MB in size instead of 58 MB. Apple's
// systems include all of Foundation and have no such module.
#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif

#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Glibc
#endif
