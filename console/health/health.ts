import { queryOptions } from '@tanstack/react-query';
import type { ShownRefusal } from '../../src/answers/explanation.ts';
import type { Health, HealthReason } from '../../src/answers/object-health.ts';
import { type HealthState, healthStateTexts } from '../../src/reference/health-states.ts';
import { arrayIn } from '../api/answers.ts';
import { type ApiRequest, CallError, pollHeaders, sendRequest } from '../api/call.ts';
import { objectsRequest } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';
import type { HealthSearch } from './health-search.ts';

/** A rule that refuses: by which field, what it wants and what it met. */
export type HealthRule = HealthReason & Partial<Pick<ShownRefusal, 'Field' | 'Wanted' | 'Met'>>;

interface ShownState {
  readonly text: string;
  readonly color: string;
  /** Whether somebody should look at it. */
  readonly isTrouble?: true;
}

/** The states, the worst first. */
export const states: Readonly<Record<HealthState, ShownState>> = {
  not_ready: { text: healthStateTexts.not_ready, color: 'orange', isTrouble: true },
  paused: { text: healthStateTexts.paused, color: 'red', isTrouble: true },
  warning: { text: healthStateTexts.warning, color: 'orange', isTrouble: true },
  limited: { text: healthStateTexts.limited, color: 'yellow' },
  ok: { text: healthStateTexts.ok, color: 'teal' },
  idle: { text: healthStateTexts.idle, color: 'gray' },
  inactive: { text: healthStateTexts.inactive, color: 'gray' },
};
const order = Object.keys(states);

/** An object of an entity, with its health. */
export interface HealthRow {
  readonly entity: ShownEntity;
  readonly health: Health;
}

/** Which share of what an object had went wrong. */
function troubleOf({ CallAttempts = 0, UnavailableRate, Requests = 0, Impressions = 0 }: Health): number {
  if (CallAttempts > 0) return (UnavailableRate ?? 0) / 100;
  return Requests > 0 ? 1 - Math.min(1, Impressions / Requests) : 0;
}

/** The worst first: by state, by the share that goes wrong, by traffic. */
function worstFirst({ health: one }: HealthRow, { health: other }: HealthRow): number {
  const traffic = ({ CallAttempts = 0, Bids = 0, Requests = 0 }: Health) =>
    Math.max(CallAttempts, Bids) + Requests;
  return (
    order.indexOf(one.State) - order.indexOf(other.State) ||
    troubleOf(other) - troubleOf(one) ||
    traffic(other) - traffic(one) ||
    one.Name.localeCompare(other.Name)
  );
}

/** What is shown of the objects that are known, the worst first. */
export function shownHealth(
  known: readonly HealthRow[],
  { q = '', state }: Pick<HealthSearch, 'q' | 'state'>,
): readonly HealthRow[] {
  const wanted = q.toLowerCase();
  return known
    .filter(({ health }) => health.Name.toLowerCase().includes(wanted))
    .filter(({ health }) => state === undefined || health.State === state)
    .toSorted(worstFirst);
}

/** The states to choose from, each with how many objects are in it. */
export const stateOptions = (known: readonly HealthRow[]) =>
  Object.entries(states).map(([value, { text }]) => ({
    value,
    label: `${text} (${known.filter(({ health }) => health.State === value).length})`,
  }));

/** Whether there is nothing to say of an object but its figures. */
export const isFine = ({
  Reasons,
  Missing,
  Limits,
  Refusals,
  Unfilled = [],
  Paused,
  LastFault,
}: Health): boolean =>
  [Reasons, Missing, Limits, Refusals, Unfilled].every(({ length }) => length === 0) && !Paused && !LastFault;

/** Asks for the health of these objects of an entity; of all where none are named. */
export const healthRequest = ({ key }: ShownEntity, ids: readonly number[] = []) =>
  ({
    path: 'api/health/get',
    query: { Entity: key, Ids: ids.length > 0 ? ids.join(',') : undefined },
  }) satisfies ApiRequest;

const pollMs = 15_000;
const idsPerAnswer = 500;
/** More would keep the server busy for what nobody looks at. */
const idsMax = 5000;

type Ask = (ids: readonly number[]) => Promise<readonly Health[]>;

/** Where there are more than are told at once: the active ones, some at a time. */
async function askInParts(entity: ShownEntity, ask: Ask, signal: AbortSignal): Promise<readonly Health[]> {
  const active = { filter: [{ Field: 'Status', Operator: 'in', Values: [0] }] };
  const request = objectsRequest(entity, active);
  const { data } = await sendRequest(request, { signal, headers: pollHeaders });
  const ids = arrayIn(data)
    .slice(0, idsMax)
    .map(({ Id }) => Id);
  const found: Health[] = [];
  for (let from = 0; from < ids.length; from += idsPerAnswer)
    found.push(...(await ask(ids.slice(from, from + idsPerAnswer))));
  return found;
}

/** The health of objects of an entity, asked for again by itself. */
export const healthQuery = (entity: ShownEntity, ids: readonly number[] = []) =>
  queryOptions({
    queryKey: ['health', entity.key, ids],
    async queryFn({ signal }): Promise<readonly Health[]> {
      const ask: Ask = async (some) =>
        (await sendRequest(healthRequest(entity, some), { signal, headers: pollHeaders })).data;
      try {
        return await ask(ids);
      } catch (error) {
        if (ids.length > 0 || !(error instanceof CallError) || error.status !== 406) throw error;
        return await askInParts(entity, ask, signal);
      }
    },
    refetchInterval: pollMs,
    staleTime: pollMs,
  });
