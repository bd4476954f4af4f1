import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ShownRefusal } from '../../src/answers/explanation.ts';
import type { Health, HealthReason } from '../../src/answers/object-health.ts';
import { type HealthState, healthStateTexts } from '../../src/reference/health-states.ts';
import type { AnswerTo } from '../api/answers.ts';
import { type ApiRequest, pollHeaders, sendRequest } from '../api/call.ts';
import { entityOf, type ShownEntity } from '../field-tables.ts';
import { countText } from '../parts/value-text.ts';
import type { HealthSearch } from './health-search.ts';

/** A rule that refuses: by which field, what it wants and what it met. */
export type HealthRule = HealthReason & Partial<Pick<ShownRefusal, 'Field' | 'Wanted' | 'Met'>>;

interface StateLook {
  readonly text: string;
  readonly color: string;
  /** Whether somebody should look at it. */
  readonly isTrouble?: true;
}

/** The states, the worst first. */
export const states: Readonly<Record<HealthState, StateLook>> = {
  not_ready: { text: healthStateTexts.not_ready, color: 'orange', isTrouble: true },
  paused: { text: healthStateTexts.paused, color: 'red', isTrouble: true },
  warning: { text: healthStateTexts.warning, color: 'orange', isTrouble: true },
  limited: { text: healthStateTexts.limited, color: 'yellow' },
  ok: { text: healthStateTexts.ok, color: 'teal' },
  idle: { text: healthStateTexts.idle, color: 'gray' },
  inactive: { text: healthStateTexts.inactive, color: 'gray' },
};
/** An object of an entity, with its health. */
export interface HealthRow {
  readonly entity: ShownEntity;
  readonly health: Health;
}

/** How many objects are in a state. */
type StateCount = AnswerTo<'api/health/list'>['States'][number];

/** The states to choose from, each with how many objects are in it. */
export const stateOptions = (counts: readonly StateCount[]) =>
  Object.entries(states).map(([value, { text }]) => {
    const { Objects = 0 } = counts.find(({ State }) => State === value) ?? {};
    return { value, label: `${text} (${countText(Objects)})` };
  });

const [syncCallsMin, matchRateMin] = [100, 10];

/** Whether its partner, although it has a user sync, knows few viewers. */
export const isSeldomMatched = ({ SyncCalls = 0, MatchRate }: Health): boolean =>
  SyncCalls >= syncCallsMin && (MatchRate ?? 0) < matchRateMin;

/** Whether there is nothing to say of an object but its figures. */
export function isFine(health: Health): boolean {
  const { Reasons, Missing, Limits, Refusals, Unfilled = [], Paused, LastFault } = health;
  const isListed = [Reasons, Missing, Limits, Refusals, Unfilled].some(({ length }) => length > 0);
  return !isListed && !Paused && !LastFault && !isSeldomMatched(health);
}

/** Asks for the health of these objects of an entity. */
export const healthRequest = ({ key }: ShownEntity, ids: readonly number[]) =>
  ({ path: 'api/health/get', query: { Entity: key, Ids: ids.join(',') } }) satisfies ApiRequest;

const pollMs = 15_000;

/** The health of objects of an entity, asked for again by itself. */
export const healthQuery = (entity: ShownEntity, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['health', entity.key, ids],
    queryFn: async ({ signal }): Promise<readonly Health[]> =>
      (await sendRequest(healthRequest(entity, ids), { signal, headers: pollHeaders })).data,
    refetchInterval: pollMs,
    staleTime: pollMs,
  });

export type HealthSide = 'demand' | 'supply';
const rowsPerPage = 100;

/** Asks for the health of a side, the worst first. */
export const healthListRequest = (side: HealthSide, { q, state }: HealthSearch) =>
  ({
    path: 'api/health/list',
    query: {
      Side: side,
      Query: q,
      ...(state === 'attention' ? { Attention: 1 } : { State: state }),
      Limit: rowsPerPage,
    },
  }) satisfies ApiRequest;

/** With USD that it earned until this time yesterday, and not today. */
export interface AttentionRow extends HealthRow {
  readonly lost: number;
}

const rowsOf = ({ Objects }: AnswerTo<'api/health/list'>): readonly AttentionRow[] =>
  Objects.flatMap(({ Entity, Lost = 0, ...health }) => {
    const entity = entityOf(Entity);
    return entity ? [{ entity, health, lost: Lost }] : [];
  });

/** The objects that somebody should look at, what has lost most first, asked for again by itself. */
export const attentionQuery = (limit: number) =>
  queryOptions({
    queryKey: ['health', 'attention', limit],
    queryFn: async ({ signal }) => {
      const request = { path: 'api/health/list', query: { Attention: 1, Limit: limit } } as const;
      const { data } = await sendRequest(request, { signal, headers: pollHeaders });
      return { total: data.Total, rows: rowsOf(data) };
    },
    refetchInterval: pollMs,
    staleTime: pollMs,
  });

/** The health of a side page by page, asked for again by itself. */
export const healthPagesQuery = (side: HealthSide, { q, state }: HealthSearch) =>
  infiniteQueryOptions({
    queryKey: ['health', 'list', side, q ?? '', state ?? ''],
    async queryFn({ signal, pageParam }) {
      const request = healthListRequest(side, { q, state });
      const query = { ...request.query, Offset: pageParam };
      const { data } = await sendRequest({ ...request, query }, { signal, headers: pollHeaders });
      return { counts: data.States, total: data.Total, rows: rowsOf(data) };
    },
    initialPageParam: 0,
    getNextPageParam: ({ total }, _pages, offset) =>
      offset + rowsPerPage < total ? offset + rowsPerPage : undefined,
    refetchInterval: pollMs,
    staleTime: pollMs,
    placeholderData: (before, query) => (query?.queryKey[2] === side ? before : undefined),
  });
