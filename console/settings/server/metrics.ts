import { queryOptions } from '@tanstack/react-query';
import { call, callText, pollHeaders } from '../../api/call.ts';

/** A figure of the server at one moment. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Figures in the text format of Prometheus. */
function readMetrics(text: string): readonly Sample[] {
  return text.split('\n').flatMap((one) => {
    const [, name, labels = '', value] = line.exec(one) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(label)].map(([, key = '', content = '']) => [key, content] as const);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

export interface ServerMetrics {
  /** The sum of a figure over all labels that fit; undefined where it is not told. */
  readonly sum: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;
  readonly all: (name: string) => readonly Sample[];
}

function figuresOf(samples: readonly Sample[]): ServerMetrics {
  const all = (name: string) => samples.filter((sample) => sample.name === name);
  return {
    all,
    sum(name, labels = {}) {
      const fits = (sample: Sample) =>
        Object.entries(labels).every(([key, value]) => sample.labels[key] === value);
      const found = all(name).filter(fits);
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

export interface ServedRevisions {
  readonly Revision: number;
  readonly Threads: readonly number[];
}

const pollMs = 5000;

/** Figures of the server, asked for again and again. */
export const metricsQuery = queryOptions({
  queryKey: ['metrics'],
  queryFn: async () => figuresOf(readMetrics(await callText('metrics'))),
  structuralSharing: false,
  refetchInterval: pollMs,
  retry: false,
});

/** The team's revision that is served. */
export const servedQuery = queryOptions({
  queryKey: ['served'],
  queryFn: async ({ signal }) => (await call('api/exchange/status', { headers: pollHeaders, signal })).data,
  refetchInterval: pollMs,
});
