// What the bench takes of Foundation: the module without localization, where there is one. It makes
// a static program of Linux 14 MB instead of 58; Apple's systems bring all of Foundation and have
// no such module.
#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif

// The C library of the platform, under one name.
#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Glibc
#endif
