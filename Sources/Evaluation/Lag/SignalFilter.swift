/// A smoother as the lag tools see it: evenly or unevenly timed values in, one value a frame out,
/// nil where it puts out none.
///
/// Every call starts afresh.
package typealias SignalFilter = (_ times: [Double], _ values: [Double]) -> [Double?]
