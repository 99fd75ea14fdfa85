// Foundation as on a Mac: with Apple's C library instead of Glibc, which the Foundation of Linux
// re-exports. Names come one by one from the real modules, whose declarations are Apple's own.

@_exported import Darwin
@_exported import FoundationEssentials
@_exported import ObjectiveC

@_exported import class Foundation.Bundle
@_exported import struct Foundation.CharacterSet
@_exported import class Foundation.FileHandle
@_exported import class Foundation.JSONSerialization
@_exported import class Foundation.NSNumber
@_exported import class Foundation.Pipe
@_exported import class Foundation.Process
@_exported import class Foundation.Thread
