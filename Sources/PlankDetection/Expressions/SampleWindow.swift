import PoseModel

/// A ring buffer that grows only when a window in seconds meets a rate that it has not met before.
struct SampleWindow: Sendable {
  private let length: WindowLength
  private var values: [Double]
  private var times: [Double]
  private var oldest = 0
  private(set) var count = 0

  init(_ length: WindowLength) {
    self.length = length
    values = Array(repeating: 0, count: max(1, length.expectedCount))
    times = values
  }

  /// A sample by age: 0 is the newest.
  func value(age: Int) -> Double { values[place(count - 1 - age)] }

  func time(age: Int) -> Double { times[place(count - 1 - age)] }

  mutating func removeAll() {
    oldest = 0
    count = 0
  }

  mutating func append(_ value: Double, at time: Double) {
    while count > 0, isFull(at: time) {
      oldest = oldest + 1 == values.count ? 0 : oldest + 1
      count -= 1
    }
    if count == values.count { grow() }
    let newest = place(count)
    values[newest] = value
    times[newest] = time
    count += 1
  }

  private func isFull(at time: Double) -> Bool {
    switch length {
    case .frames(let frames): count >= frames
    case .seconds(let seconds): time - times[oldest] >= seconds - Debouncer.tolerance
    }
  }

  private func place(_ index: Int) -> Int {
    let place = oldest + index
    return place < values.count ? place : place - values.count
  }

  private mutating func grow() {
    let order = (0..<count).map(place)
    let room = repeatElement(0.0, count: count)
    values = order.map { values[$0] } + room
    times = order.map { times[$0] } + room
    oldest = 0
  }
}
