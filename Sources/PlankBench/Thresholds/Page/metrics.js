// Metrics with the names and definitions of the program.

function sumsOf(seconds, classes) {
  const sums = { right: [], truth: [], answered: [], total: 0 };
  for (let label = 0; label < classes; label++) {
    let [truth, answered] = [0, 0];
    for (let other = 0; other < classes; other++) {
      truth += seconds[label * classes + other];
      answered += seconds[other * classes + label];
    }
    sums.right.push(seconds[label * classes + label]);
    sums.truth.push(truth);
    sums.answered.push(answered);
    sums.total += truth;
  }
  return sums;
}

const quotient = (dividend, divisor) => (divisor > 0 ? dividend / divisor : null);

function meanQuotient(dividends, divisors) {
  let [sum, count] = [0, 0];
  dividends.forEach((dividend, label) => {
    if (!(divisors[label] > 0)) return;
    sum += dividend / divisors[label];
    count += 1;
  });
  return quotient(sum, count);
}

/** The time by which a share of the observed onsets is answered, after Kaplan and Meier. */
function latencyQuantile(latencies, share, slack) {
  const sorted = latencies.filter((one) => one.isObserved)
    .sort((left, right) => left.seconds - right.seconds);
  let survival = 1;
  for (let index = 0; index < sorted.length;) {
    const { seconds } = sorted[index];
    const atRisk = sorted.length - index;
    let answered = 0;
    while (index < sorted.length && sorted[index].seconds - seconds <= slack) {
      if (!sorted[index].isMissed) answered += 1;
      index += 1;
    }
    if (answered === 0) continue;
    survival *= 1 - answered / atRisk;
    if (survival <= 1 - share + 1e-9) return seconds;
  }
  return null;
}

const perMinute = (count, stream) => quotient(count, stream.evaluated_seconds / 60);

/** Name, title, digits, direction, and the formula over a count. */
const METRICS = [
  { name: 'balanced_accuracy', title: 'balanced accuracy', digits: 4, isBetterHigh: true,
    of: (sums) => meanQuotient(sums.right, sums.truth) },
  { name: 'accuracy', title: 'accuracy', digits: 4, isBetterHigh: true,
    of: (sums) => quotient(sums.right.reduce((left, right) => left + right, 0), sums.total) },
  { name: 'f1_macro', title: 'macro F1', digits: 4, isBetterHigh: true,
    of: (sums) => meanQuotient(sums.right.map((right) => 2 * right),
      sums.truth.map((truth, label) => truth + sums.answered[label])) },
  { name: 'transitions_per_minute', title: 'answer changes, 1/min', digits: 2,
    isBetterHigh: false,
    of: (sums, count, stream) => perMinute(count.transitions, stream) },
  { name: 'excess_transitions_per_minute', title: 'excess changes, 1/min', digits: 2,
    isBetterHigh: false,
    of: (sums, count, stream) => perMinute(
      Math.max(0, count.transitions - stream.true_transitions), stream) },
  { name: 'hit_rate', title: 'event recall', digits: 4, isBetterHigh: true,
    of: (sums, count) => quotient(
      count.latencies.filter((one) => !one.isMissed).length, count.latencies.length) },
  { name: 'detection_latency_p50_s', title: 'median latency, s', digits: 3,
    isBetterHigh: false,
    of: (sums, count, stream, slack) => latencyQuantile(count.latencies, 0.5, slack) },
  { name: 'detection_latency_p90_s', title: '90th percentile latency, s', digits: 3,
    isBetterHigh: false,
    of: (sums, count, stream, slack) => latencyQuantile(count.latencies, 0.9, slack) },
];

function metricsOf(count, stream, slack) {
  const sums = sumsOf(count.seconds, stream.labels.length);
  return METRICS.map((metric) => metric.of(sums, count, stream, slack));
}
