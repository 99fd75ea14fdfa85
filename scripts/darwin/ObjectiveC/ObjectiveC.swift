// What PlankLab uses of the module of Objective-C's runtime, which Apple's Foundation re-exports.

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}
