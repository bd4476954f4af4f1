import { queryOptions } from '@tanstack/react-query';
import { type ApiRequest, CallError, pollHeaders, sendRequest } from '../api/call.ts';
import { objectsRequest, type Stored } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';

/** A reason, with what it means and what changes it. */
interface HealthReason {
  readonly Reason: string;
  readonly Help: string;
}

/** A rule that refuses: by which field, what it wants and what it met. */
export interface HealthRule extends HealthReason {
  readonly Field?: string;
  readonly Wanted?: unknown;
  readonly Met?: unknown;
}

/** The health of an object, as `GET /api/health/get` tells it. */
export interface Health {
  readonly Id: number;
  readonly Name: string;
  readonly State: State;
  readonly Reasons: readonly HealthReason[];
  readonly Since: string;
  readonly LastRequest: string | null;
  readonly Refusals: readonly (HealthReason & { readonly Refusals: number; readonly LostValue: number })[];
  readonly Limits: readonly HealthRule[];
  readonly LatencyP50?: number | null;
  readonly LatencyP95?: number | null;
  readonly LatencyP99?: number | null;
  readonly InvalidRate?: number | null;
  readonly Unfilled?: readonly { Parameter: string; Requests: number; Percent: number }[];
  readonly Paused?: (HealthRule & { Until: string; Threads: number; OfThreads: number }) | null;
  readonly LastFault?:
    | (HealthRule & { Time: string; HttpStatus: number; Markup: string; IsCut: 0 | 1; IsTolerated: 0 | 1 })
    | null;
  /** Figures of its side. */
  readonly Calls?: number;
  readonly Answers?: number;
  readonly Timeouts?: number;
  readonly Errors?: number;
  readonly NoBids?: number;
  readonly PausedCalls?: number;
  readonly CallAttempts?: number;
  readonly UnavailableRate?: number;
  readonly Bids?: number;
  readonly Wins?: number;
  readonly Impressions?: number;
  readonly Requests?: number;
  readonly FillRate?: number | null;
}

/** The states, the worst first: what each is called, and whether somebody should look at it. */
export const states = {
  paused: { text: 'paused', color: 'red' },
  warning: { text: 'warning', color: 'orange' },
  limited: { text: 'at a limit', color: 'yellow' },
  ok: { text: 'ok', color: 'teal' },
  idle: { text: 'idle', color: 'gray' },
  inactive: { text: 'inactive', color: 'gray' },
} as const;
/** Name of a state. */
export type State = keyof typeof states;
const order = Object.keys(states);

/** An object of an entity, with its health. */
export interface Known {
  readonly entity: ShownEntity;
  readonly health: Health;
}

/** Which share of what an object had went wrong. */
function troubleOf({ CallAttempts = 0, UnavailableRate, Requests = 0, Impressions = 0 }: Health): number {
  if (CallAttempts > 0) return (UnavailableRate ?? 0) / 100;
  return Requests > 0 ? 1 - Math.min(1, Impressions / Requests) : 0;
}

/** The worst first: by state, by the share that goes wrong, by traffic. */
export function worstFirst({ health: one }: Known, { health: other }: Known): number {
  const traffic = ({ CallAttempts = 0, Bids = 0, Requests = 0 }: Health) =>
    Math.max(CallAttempts, Bids) + Requests;
  return (
    order.indexOf(one.State) - order.indexOf(other.State) ||
    troubleOf(other) - troubleOf(one) ||
    traffic(other) - traffic(one) ||
    one.Name.localeCompare(other.Name)
  );
}

/** Asks for the health of these objects of an entity; of all where none are named. */
export const healthRequest = ({ key }: ShownEntity, ids: readonly number[] = []): ApiRequest => ({
  path: 'api/health/get',
  query: { Entity: key, Ids: ids.length > 0 ? ids.join(',') : undefined },
});

const pollMs = 15_000;
const idsPerAnswer = 500;
/** More would keep the server busy for what nobody looks at. */
const idsMax = 5000;

type Ask = (ids: readonly number[]) => Promise<readonly Health[]>;

/** Where there are more than are told at once: the active ones, some at a time. */
async function askInParts(entity: ShownEntity, ask: Ask, signal: AbortSignal): Promise<readonly Health[]> {
  const active = { filter: [{ Field: 'Status', Operator: 'in', Values: [0] }] };
  const request = objectsRequest(entity, active);
  const { data } = await sendRequest<readonly Stored[]>(request, { signal, headers: pollHeaders });
  const ids = data.slice(0, idsMax).map(({ Id }) => Id);
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
        (await sendRequest<readonly Health[]>(healthRequest(entity, some), { signal, headers: pollHeaders }))
          .data;
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
