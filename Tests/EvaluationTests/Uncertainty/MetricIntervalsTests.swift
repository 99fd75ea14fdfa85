import Evaluation
import PoseModel
import Statistics
import Testing

@Suite("Metric intervals")
struct MetricIntervalsTests {
  private func intervals(_ count: Int) -> MetricIntervals {
    let values = (0..<count).map { Double($0 * $0) }
    let draws = ClusterResamples(
      clusters: count, count: 500, stream: RandomStream(seed: 1, purpose: "bootstrap"))
    return MetricIntervals(
      ClusterSample.make(draws) { drawn in
        [drawn.reduce(0) { $0 + values[$1] } / Double(drawn.count)]
      }[0])
  }

  @Test("Intervals end at the metric's range, and stay ordered")
  func range() throws {
    let sample = ClusterSample(
      estimate: 0.97, omissions: [0.9, 1, 1, 0.98], replicates: [0.9, 0.95, 1, 1, 0.96])
    let free = MetricIntervals(sample)
    let found = MetricIntervals(sample, range: 0...1)
    let (wide, narrow) = (
      try #require(free.clusterT.interval), try #require(found.clusterT.interval)
    )
    #expect(wide.upper > 1)
    #expect(narrow.upper == 1)
    #expect(narrow.lower == wide.lower)
    for interval in [narrow, try #require(found.wider.interval)] {
      #expect(interval.lower >= 0 && interval.lower <= interval.upper)
    }
  }

  @Test("Of two intervals that end at the range the wider one is that which shows more")
  func widerWithinRange() throws {
    // Student's t reaches beyond 1, so that less of it is left than of the bootstrap's.
    let sample = ClusterSample(
      estimate: 0.99, omissions: [0.96, 1, 1, 1],
      replicates: (0...100).map { 0.5 + Double($0) / 200 })
    let found = MetricIntervals(sample, range: 0...1)
    let (t, bca) = (try #require(found.clusterT.interval), try #require(found.bca.interval))
    #expect(found.wider.interval?.width == max(t.width, bca.width))
  }

  @Test("The wider one decides", arguments: [4, 8, 30])
  func wider(subjects: Int) throws {
    let found = intervals(subjects)
    let (t, bca) = (try #require(found.clusterT.interval), try #require(found.bca.interval))
    #expect(found.wider.interval?.width == max(t.width, bca.width))
    #expect(found.method == found.wider.interval?.method)
  }

  @Test("Where the bootstrap has none, Student's t decides; without that there is none")
  func gaps() throws {
    let oneSided = MetricIntervals(
      ClusterSample(estimate: 9, omissions: [8, 9, 10], replicates: [1, 2, 3]))
    #expect(oneSided.bca == .undefined(.oneSided))
    #expect(oneSided.wider.interval?.method == .clusterT)
    let partial = MetricIntervals(
      ClusterSample(estimate: 9, omissions: [8, nil, 10], replicates: [8, 9, 10]))
    #expect(partial.wider == .undefined(.undefinedWithoutACluster))
    #expect(partial.method == nil)
  }
}
