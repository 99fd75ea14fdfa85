import PlankDetection
import PoseModel
import Testing

@Suite("Debounce")
struct DebouncerTests {
  private static let nothing = Debouncer.undetermined

  /// The answers to raw labels that come every 0.1 s, with pauses before some of them.
  private func answers(
    _ raw: [UInt8], needed: Int, hold: Double = 0.5, startsMid: Bool = false,
    pauses: [Int: Double] = [:]
  ) -> [UInt8] {
    var debouncer = Debouncer(
      framesNeeded: needed, holdSeconds: Seconds(hold), startsMid: startsMid)
    var time = 0.0
    return raw.enumerated().map { index, label in
      time += index == 0 ? 0 : pauses[index] ?? 0.1
      return debouncer.update(label, at: time)
    }
  }

  @Test("A label needs N frames in a row, and then is the answer at once")
  func run() {
    #expect(answers([1, 1, 1, 2, 2, 1, 2, 2, 2], needed: 3) == [0, 0, 1, 1, 1, 1, 1, 1, 2])
  }

  @Test("With N = 1 the answer is the raw label")
  func off() {
    #expect(answers([1, 2, 0, 3, 3], needed: 1) == [1, 2, 0, 3, 3])
  }

  @Test("The empty answer needs N frames like any other")
  func emptyAnswer() {
    #expect(answers([1, 1, 0, 1, 0, 0], needed: 2) == [0, 1, 1, 1, 1, 0])
  }

  @Test("A dropout holds the answer and neither lengthens nor ends a run")
  func dropout() {
    let n = Self.nothing
    #expect(answers([1, 1, n, n, 1, 1], needed: 3) == [0, 0, 0, 0, 1, 1])
    #expect(answers([1, 1, 1, n, 2, n, 2, n, 2], needed: 3) == [0, 0, 1, 1, 1, 1, 1, 1, 2])
  }

  @Test("Before the first determined frame the answer is empty")
  func beforeTheFirst() {
    let n = Self.nothing
    #expect(answers([n, n, 2], needed: 1) == [0, 0, 2])
    #expect(answers([n, n, n], needed: 1, startsMid: true) == [0, 0, 0])
  }

  @Test(
    "The hold's bound is inclusive, with a billionth of a second of tolerance",
    arguments: [(0.5, true), (0.5 + 0.9e-9, true), (0.5 + 1.2e-9, false), (0.499, true)])
  func bound(gap: Double, isHeld: Bool) {
    var debouncer = Debouncer(framesNeeded: 1, holdSeconds: Seconds(0.5))
    _ = debouncer.update(2, at: 1)
    let answer = debouncer.update(Self.nothing, at: 1 + gap)
    #expect(answer == (isHeld ? 2 : 0))
    #expect(debouncer.isHolding == isHeld)
  }

  @Test("Fifteen frames at 30 Hz are half a second, rounded as they may be")
  func decimalTimes() {
    for start in 0..<200 {
      var debouncer = Debouncer(framesNeeded: 1, holdSeconds: Seconds(0.5))
      _ = debouncer.update(1, at: Double(start) / 30)
      #expect(debouncer.update(Self.nothing, at: Double(start + 15) / 30) == 1)
      #expect(debouncer.update(Self.nothing, at: Double(start + 16) / 30) == 0)
    }
  }

  @Test("The hold counts from the last determined frame, not from the first lost one")
  func longDropout() {
    let n = Self.nothing
    #expect(
      answers([1, n, n, n, n, n, n, 2], needed: 1, hold: 0.3) == [1, 1, 1, 1, 0, 0, 0, 2])
  }

  @Test("A gap clears answer and candidate", arguments: [(0.5, false), (0.6, true)])
  func gap(pause: Double, isCleared: Bool) {
    let result = answers([1, 1, 1, 1, 1], needed: 2, pauses: [3: pause])
    #expect(result == (isCleared ? [0, 1, 1, 0, 1] : [0, 1, 1, 1, 1]))
    let other = answers([1, 1, 2, 2, 2], needed: 2, pauses: [3: pause])
    #expect(other == (isCleared ? [0, 1, 1, 0, 2] : [0, 1, 1, 2, 2]))
  }

  @Test("A gap that is full of lost frames clears like one without frames")
  func filledGap() {
    let n = Self.nothing
    #expect(
      answers([1, 1, n, n, n, 1, 1], needed: 2, hold: 0.3) == [0, 1, 1, 1, 1, 0, 1])
  }

  @Test("A recording that starts inside a hold answers with its first determined frame")
  func startsMid() {
    let n = Self.nothing
    #expect(answers([n, 3, 2, 2, 2], needed: 3, startsMid: true) == [0, 3, 3, 3, 2])
    #expect(answers([3, 3, 2, 2, 2], needed: 3, startsMid: true) == [3, 3, 3, 3, 2])
  }

  @Test("Only the first determined frame starts inside a hold, not the one after a gap")
  func startsMidOnce() {
    #expect(
      answers([3, 2, 2], needed: 2, startsMid: true, pauses: [1: 2]) == [3, 0, 2])
  }

  @Test("With a hold of 0 s every lost frame shows the empty answer")
  func noHold() {
    let n = Self.nothing
    #expect(answers([1, n, 1], needed: 1, hold: 0) == [1, 0, 1])
    #expect(answers([1, 1, 1], needed: 2, hold: 0) == [0, 0, 0])
  }

  @Test("The candidate and its run can be read")
  func pending() {
    var debouncer = Debouncer(framesNeeded: 3, holdSeconds: Seconds(0.5))
    #expect(debouncer.pending == nil)
    for (index, label) in [UInt8(2), 2, 4].enumerated() {
      _ = debouncer.update(label, at: Double(index) * 0.1)
    }
    #expect(debouncer.pending?.code == 4 && debouncer.pending?.run == 1)
    _ = debouncer.update(4, at: 0.3)
    #expect(debouncer.pending?.code == 4 && debouncer.pending?.run == 2)
  }
}
