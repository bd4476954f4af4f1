export interface MetricValue {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** Of a histogram: with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string;
}

/** Prometheus' data model. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of threads become that of the process. */
  readonly aggregator: 'sum' | 'max';
  readonly values: MetricValue[];
}

/** Only grows; threads' values are added up. */
export function counter(name: string, help: string, values: MetricValue[]): Metric {
  return { name, help, type: 'counter', aggregator: 'sum', values };
}

/** Rises and falls; the process reports the maximum of its threads. */
export function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', aggregator: 'max', values: [{ labels: {}, value }] };
}

/** The names are known in advance, so that counting is an addition in an array. */
export function createNamedCounts<Name extends string>(names: readonly Name[]) {
  const counts = new Float64Array(names.length);
  const places = Object.fromEntries(names.map((name, place) => [name, place])) as Record<Name, number>;
  return {
    add(name: Name): void {
      const place = places[name];
      counts[place] = (counts[place] as number) + 1;
    },
    /** Counts above 0, each with its name under `label`. */
    values: (label: string, others: MetricValue['labels'] = {}): MetricValue[] =>
      names.flatMap((name, place) => {
        const value = counts[place] as number;
        return value === 0 ? [] : [{ labels: { ...others, [label]: name }, value }];
      }),
  };
}

export function createNestedCounts<Name extends string, Counted extends string>(
  names: readonly Name[],
  counted: readonly Counted[],
) {
  const byName = new Map(names.map((name) => [name, createNamedCounts(counted)]));
  return {
    add: (name: Name, one: Counted) => byName.get(name)?.add(one),
    values: (label: string, countedLabel: string) =>
      [...byName].flatMap(([name, tally]) => tally.values(countedLabel, { [label]: name })),
  };
}

/** `boundsSeconds` rise. */
export function createDurations(boundsSeconds: readonly number[]) {
  const buckets = new Float64Array(boundsSeconds.length + 1);
  let sum = 0;
  return {
    add(seconds: number): void {
      let bucket = 0;
      while (seconds > (boundsSeconds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
      buckets[bucket] = (buckets[bucket] as number) + 1;
      sum += seconds;
    },
    /** Each bucket includes those below it. */
    values(name: string): MetricValue[] {
      let count = 0;
      const counted = [...buckets].map((value, bucket) => {
        count += value;
        return {
          metricName: `${name}_bucket`,
          labels: { le: boundsSeconds[bucket] ?? '+Inf' },
          value: count,
        };
      });
      const whole = { metricName: `${name}_sum`, labels: {}, value: sum };
      return [...counted, whole, { metricName: `${name}_count`, labels: {}, value: count }];
    },
  };
}
