import type { Observation } from '../../alerts/judge.ts';
import type { Rule, RuleFilter } from '../../alerts/rule.ts';
import type { ShownRefusal } from '../../answers/explanation.ts';
import type { ObjectHealth } from '../../answers/object-health.ts';
import { demandKindNames, servedKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { Refusal } from '../../fields/fault.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Subject } from '../../store/alerts/interface.ts';
import type { StoredObject } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { watchedObjects } from './watched-objects.ts';

export type ObjectsContext = Pick<Context, 'store'> & {
  readonly exchange: Pick<Context['exchange'], 'health'>;
};

const pageSize = 500;
const objectsMax = 20_000;
/** A limit per second says nothing of a minute. */
const momentary = 'max_qps';

const sideOf = (kind: string) => entityOf(kind).exchange?.side;

/** With the value of each. */
const dimensionOf: Readonly<
  Record<string, (kind: string, object: StoredObject) => string | number | undefined>
> = {
  Supply: (kind, { id }) => (sideOf(kind) === 'supply' ? `${kind}:${id}` : undefined),
  SupplyKind: (kind) => (sideOf(kind) === 'supply' ? kind : undefined),
  Publisher: (kind, { document }) => (sideOf(kind) === 'supply' ? Number(document.PublisherId) : undefined),
  Demand: (kind, { id }) => (sideOf(kind) === 'demand' ? `${kind}:${id}` : undefined),
  DemandKind: (kind) => (sideOf(kind) === 'demand' ? kind : undefined),
  Advertiser: (kind, { document }) => (sideOf(kind) === 'demand' ? Number(document.AdvertiserId) : undefined),
};

export const objectDimensions: readonly string[] = Object.keys(dimensionOf);

/** Objects of the other side are not. */
const isWanted = (filters: readonly RuleFilter[], kind: string, object: StoredObject) =>
  filters.every(({ Field, Operator, Values }) => {
    const value = ownMember(dimensionOf, Field)?.(kind, object);
    return value !== undefined && Values.includes(value) === (Operator === 'In');
  });

const textOf = (refusals: readonly ShownRefusal[]) =>
  [...new Set(refusals.map(({ Help }) => Help))].join(' ');

/** By what each thread knows; undefined if nothing is wrong. */
function troubleOf({ condition }: Rule, known: readonly ObjectHealth[]): string | undefined {
  if (condition === 'PartnerPaused') {
    const paused = known.flatMap(({ pause }) => (pause ? [pause] : []));
    if (paused.length === 0) return undefined;
    const [{ refusal } = { refusal: undefined }] = paused;
    return refusal?.Help ?? 'Too many calls failed.';
  }
  const limits = known.flatMap((one) => one.limits).filter(({ Rule: reason }) => reason !== momentary);
  return limits.length === 0 ? undefined : textOf(limits);
}

async function* pagesOf(
  { store }: ObjectsContext,
  teamId: number,
  kind: string,
  filters: readonly RuleFilter[],
) {
  const owner = entityOf(kind).owner?.field;
  let count = 0;
  for (let afterId = 0; ; ) {
    const page = await store.page(
      entityOf(kind),
      teamId,
      { afterId, activeOnly: true },
      pageSize,
      owner ? [owner] : [],
    );
    count += page.length;
    if (count > objectsMax) {
      const message = `there are more than ${objectsMax.toLocaleString('en')} objects of ${kind}; filter by DemandKind, SupplyKind or accounts`;
      throw new Refusal('too_large', message);
    }
    yield page.filter((object) => isWanted(filters, kind, object)).map(({ id }) => id);
    if (page.length < pageSize) return;
    afterId = page.at(-1)?.id ?? 0;
  }
}

/** Known ones are reported even if nothing is wrong. */
async function* observe(
  context: ObjectsContext,
  { teamId, kind, rule, isKnown }: ObjectWatch,
): AsyncGenerator<Omit<Observation, 'name'>> {
  for await (const ids of pagesOf(context, teamId, kind, rule.filters)) {
    if (ids.length === 0) continue;
    const byId = Map.groupBy((await context.exchange.health({ teamId, kind, ids })).flat(), ({ id }) => id);
    for (const id of ids) {
      const trouble = troubleOf(rule, byId.get(id) ?? []);
      const found = { kind, id, value: null, compared: null, detail: trouble ?? '' };
      if (trouble !== undefined) yield { ...found, holds: 'yes' };
      else if (isKnown({ kind, id })) yield { ...found, holds: 'no' };
    }
  }
}

const kindsOf = ({ condition }: Rule): readonly string[] =>
  condition === 'PartnerPaused' ? demandKindNames : servedKindNames;

/** Limits reached and partners paused, as this server's threads know; pauses are each server's own. */
export async function observeObjects(
  context: ObjectsContext,
  teamId: number,
  rule: Rule,
  known: readonly Subject[],
): Promise<readonly Observation[]> {
  const names = new Set(known.map(({ kind, id }) => `${kind}:${id}`));
  const isKnown = ({ kind, id }: Subject) => names.has(`${kind}:${id}`);
  const found: Omit<Observation, 'name'>[] = [];
  for (const kind of kindsOf(rule)) {
    for await (const one of observe(context, { teamId, kind, rule, isKnown })) found.push(one);
  }
  const watched = await watchedObjects(context.store, teamId, found);
  return found.flatMap((one) => {
    const name = watched.get(`${one.kind}:${one.id}`);
    return name === undefined ? [] : [{ ...one, name }];
  });
}

interface ObjectWatch {
  readonly teamId: number;
  readonly kind: string;
  readonly rule: Rule;
  readonly isKnown: (subject: Subject) => boolean;
}
