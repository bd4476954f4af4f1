import { queryOptions } from '@tanstack/react-query';
import type { AnswerTo } from './answers.ts';
import { call } from './call.ts';

/** The team's figures of today. */
export type Overview = AnswerTo<'api/figures/overview'>;

/** Figures of today beside those of other days, and the requests of the last 24 hours. */
export type Comparison = Omit<Overview, 'Hours' | 'Day' | 'ComparedUntil'>;

/** Tells the server that nobody has done anything: the session does not live longer by it. */
const poll = { 'bourse-console': 'poll' } as const;
const pollMs = 15_000;

/** The team's figures of a day, asked for again by itself; undefined = today. */
export const overviewQuery = (day?: string) =>
  queryOptions({
    queryKey: ['figures', 'overview', day],
    queryFn: async ({ signal }) =>
      (await call('api/figures/overview', { query: { Day: day }, signal, headers: poll })).data,
    refetchInterval: pollMs,
  });

/** Figures of these objects, by ID, asked for again by themselves. */
export const figuresQuery = (entity: string, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['figures', entity, ids],
    queryFn: async ({ signal }) => {
      const query = { Entity: entity, Ids: ids.join(',') };
      const { data } = await call('api/figures/get', { query, signal, headers: poll });
      return new Map(data.map((row) => [row.Id, row]));
    },
    enabled: ids.length > 0,
    refetchInterval: pollMs,
    staleTime: pollMs,
  });

/** What an object counted with each of the other side, by kind and ID. */
export const pairFiguresQuery = (Entity: string, Id: number) =>
  queryOptions({
    queryKey: ['figures', 'pairs', Entity, Id],
    queryFn: async ({ signal }) => {
      const query = { Entity, Id };
      const { data } = await call('api/figures/pairs', { query, signal, headers: poll });
      return new Map(data.map((pair) => [`${pair.Entity}/${pair.Id}`, pair]));
    },
    refetchInterval: pollMs,
  });
