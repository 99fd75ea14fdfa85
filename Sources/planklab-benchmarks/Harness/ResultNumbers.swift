import Foundation
import Platform

/// The numbers in a JSON result, by keys such as `plank.slices[s01].metrics.accuracy`.
///
/// An element of a list is named by its texts, so that lists match even if one of them has more
/// elements.
struct ResultNumbers {
  static let measured = ["timing", "schema_version"]

  private(set) var values: [String: Double] = [:]
  private(set) var leftOut: [String: Int] = [:]
  private let words: [String]

  init(_ json: Data, leavingOut words: [String]) throws {
    self.init(leavingOut: words)
    try add(json, under: "")
  }

  init(leavingOut words: [String]) { self.words = Self.measured + words }

  mutating func add(_ json: Data, under key: String) throws {
    add(try JSONSerialization.jsonObject(with: json), key)
  }

  mutating func add(_ counts: [Int], under key: String) { add(counts as Any, key) }

  private mutating func add(_ value: Any, _ key: String) {
    switch value {
    case let object as [String: Any]:
      for (name, member) in object { add(member, key.isEmpty ? name : "\(key).\(name)") }
    case let list as [Any]:
      var seen: [String: Int] = [:]
      for (index, element) in list.enumerated() {
        let name = Self.name(of: element) ?? "\(index)"
        let earlier = seen[name, default: 0]
        seen[name] = earlier + 1
        add(element, earlier == 0 ? "\(key)[\(name)]" : "\(key)[\(name), \(earlier + 1)]")
      }
    case let number as NSNumber:
      if let word = words.first(where: key.contains) {
        leftOut[word, default: 0] += 1
      } else {
        values[key] = number.doubleValue
      }
    default: break
    }
  }

  func missing(from other: ResultNumbers) -> [String: Int] {
    var counts: [String: Int] = [:]
    for key in values.keys where other.values[key] == nil {
      counts[String(key.prefix { $0 != "." && $0 != "[" }), default: 0] += 1
    }
    return counts
  }

  private static func name(of element: Any) -> String? {
    guard let object = element as? [String: Any] else { return nil }
    let texts = ["name", "key", "tag", "value", "metric", "subject"]
      .compactMap { object[$0] as? String }
    return texts.isEmpty ? nil : texts.joined(separator: " ")
  }
}

struct ResultComparison {
  struct Difference {
    let key: String
    let before: Double
    let after: Double
  }

  let shared: Int
  let onlyBefore: [String: Int]
  let onlyAfter: [String: Int]
  let inexact: Int
  let difference: Difference?
  let checksum: UInt64
  let requiresAll: Bool

  /// Numbers count as equal up to 1e-9 of the larger one, or 1e-12, because sums may be rounded.
  init(_ before: ResultNumbers, _ after: ResultNumbers, requiresAll: Bool) {
    let keys = before.values.keys.filter { after.values[$0] != nil }.sorted()
    var sum = Checksum()
    var inexact = 0
    var difference: Difference?
    for key in keys {
      guard let old = before.values[key], let new = after.values[key] else { continue }
      sum.add(new)
      guard old != new else { continue }
      inexact += 1
      let tolerance = max(1e-12, 1e-9 * max(abs(old), abs(new)))
      if difference == nil, !(abs(old - new) <= tolerance) {
        difference = Difference(key: key, before: old, after: new)
      }
    }
    shared = keys.count
    onlyBefore = before.missing(from: after)
    onlyAfter = after.missing(from: before)
    self.requiresAll = requiresAll
    self.inexact = inexact
    self.difference = difference
    checksum = sum.value
  }

  var isEqual: Bool {
    shared > 0 && difference == nil && !(requiresAll && !onlyBefore.isEmpty)
      && !(requiresAll && !onlyAfter.isEmpty)
  }
}

extension ResultComparison: CustomStringConvertible {
  var description: String {
    if let difference {
      let key = difference.key.debugDescription
      return "DIFFERENT, first at \(key): \(difference.before), \(difference.after)"
    }
    guard shared > 0 else { return "DIFFERENT, no number in common" }
    let single = [("missing here", onlyAfter), ("only here", onlyBefore)].filter { !$0.1.isEmpty }
      .map { "\($0.0): \(Self.list($0.1))" }
    guard isEqual else { return (["DIFFERENT"] + single).joined(separator: "; ") }
    let equal = inexact == 0 ? "equal" : "equal, \(inexact) of them up to rounding"
    let sum = "checksum \(String(checksum, radix: 16))"
    return (["\(shared) numbers \(equal), \(sum)"] + single).joined(separator: "; ")
  }

  static func list(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }.joined(separator: ", ")
  }
}

struct ExportedLines: Equatable {
  private struct Line: Decodable {
    struct Subject: Decodable {
      let confusion: [[Int]]
      let transitions: Int
    }

    let configuration: Int
    let stream: String
    let subjects: [Subject]
  }

  private let data: Data

  init(path: String) throws {
    data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
  }

  /// Leaves out a remainder of fewer than eight bytes.
  var checksum: UInt64 {
    data.withUnsafeBytes { bytes in
      var sum = Checksum()
      for start in stride(from: 0, to: bytes.count - 7, by: 8) {
        sum.add(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      }
      return sum.value
    }
  }

  func numbers(_ except: [String]) throws -> (numbers: ResultNumbers, lines: Int) {
    var numbers = ResultNumbers(leavingOut: except)
    let (lines, count) = sample()
    for (index, line) in lines.enumerated() {
      try numbers.add(line, under: "lines[\(index * 100)]")
    }
    return (numbers: numbers, lines: count)
  }

  /// A configuration without a line counts as a difference.
  func compare(with cells: [Int: [Int]]) throws -> ResultComparison {
    var (exported, counted) = (ResultNumbers(leavingOut: []), ResultNumbers(leavingOut: []))
    for (id, counts) in cells { counted.add(counts, under: "cells[\(id)]") }
    let decoder = JSONDecoder()
    for text in sample().lines {
      let line = try decoder.decode(Line.self, from: text)
      guard line.stream == "plank", let counts = cells[line.configuration] else { continue }
      var sums = Array(repeating: 0, count: counts.count)
      for subject in line.subjects {
        let own = Array(subject.confusion.joined()) + [subject.transitions]
        for (index, count) in own.enumerated() { sums[index] += count }
      }
      exported.add(sums, under: "cells[\(line.configuration)]")
    }
    return ResultComparison(exported, counted, requiresAll: true)
  }

  private func sample() -> (lines: [Data], count: Int) {
    data.withUnsafeBytes { bytes in
      var lines: [Data] = []
      var (start, index) = (0, 0)
      while let base = bytes.baseAddress, start < bytes.count {
        let newline = memchr(base + start, 10, bytes.count - start)
        let end = newline.map { UnsafeRawPointer($0) - base } ?? bytes.count
        if index.isMultiple(of: 100) { lines.append(Data(bytes[start..<end])) }
        (start, index) = (end + 1, index + 1)
      }
      return (lines: lines, count: index)
    }
  }
}
