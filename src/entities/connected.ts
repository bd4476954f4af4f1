import { backReference, connection } from '../fields/connection.ts';
import { count } from '../fields/derived.ts';
import type { Field, Place } from '../fields/field.ts';
import { type Placed, placed } from '../fields/section.ts';
import type { Entity } from './entity.ts';
import type { DemandRole, ExchangeRole } from './exchange-role.ts';
import { readiness } from './readiness.ts';

type Plural<E> = E extends { readonly exchange: { readonly plural: infer Name extends string } }
  ? Name
  : never;
type ServedBy<E> = E extends { readonly exchange: { readonly serves: readonly (infer Key)[] } } ? Key : never;
type Serving<Key, All> = All extends unknown ? (Key extends ServedBy<All> ? All : never) : never;
type OnSide<Side, E> = E extends { readonly exchange: { readonly side: Side } } ? E : never;

/** Entities of the other side that can be connected to E. */
type Partner<E extends Entity, All extends Entity> =
  E extends OnSide<'demand', E>
    ? Extract<All, { readonly key: ServedBy<E> }>
    : E extends OnSide<'supply', E>
      ? Serving<E['key'], All>
      : never;

type TargetOf<F> = F extends { readonly place: { readonly kind: 'connection'; readonly to: infer Key } }
  ? Key
  : never;
/** Entities whose objects use lists of E. */
type User<E extends Entity, All extends Entity> =
  E extends OnSide<'list', E>
    ? All extends unknown
      ? E['key'] extends TargetOf<All['fields'][keyof All['fields']]>
        ? All
        : never
      : never
    : never;

type Owned<E extends Entity, All extends Entity> =
  E extends OnSide<'account', E> ? Extract<All, { readonly owner: { readonly entity: E['key'] } }> : never;

/** With the fields that follow from other entities' declarations. */
export type Connected<E extends Entity, All extends Entity> = Omit<E, 'fields'> & {
  readonly fields: E['fields'] & {
    readonly [Name in Plural<Partner<E, All>>]: Placed<ReturnType<typeof connection>>;
  } & {
    readonly [Name in Plural<User<E, All>>]: Placed<ReturnType<typeof backReference>>;
  } & {
    readonly [Name in `${Plural<Owned<E, All>>}Count`]: Placed<ReturnType<typeof count>>;
  };
};

type Row = readonly [name: string, field: Placed<Field>];

const pluralOf = ({ exchange }: Entity): string =>
  exchange !== undefined && 'plural' in exchange ? exchange.plural : '';

const byTitle = (one: Entity, other: Entity) => (one.title < other.title ? -1 : 1);

/** Throws for an unknown key. */
function servedBy({ key }: Entity, { serves }: DemandRole, all: readonly Entity[]): Entity[] {
  return serves.map((served) => {
    const supply = all.find((one) => one.key === served);
    if (supply?.exchange?.side === 'supply') return supply;
    throw new Error(`${key} serves ${served}, which is not a kind of supply`);
  });
}

function partnersOf(entity: Entity, all: readonly Entity[]): Entity[] {
  const { exchange } = entity;
  if (exchange?.side === 'demand') return servedBy(entity, exchange, all);
  const serving = all.filter(
    (one) => one.exchange?.side === 'demand' && one.exchange.serves.includes(entity.key),
  );
  return serving.toSorted(byTitle);
}

function connections(entity: Entity, all: readonly Entity[]): Row[] {
  return partnersOf(entity, all).map((other) => {
    const help = `IDs of the connected ${other.title}s`;
    const field = connection({ to: other.key, mirror: pluralOf(entity), help });
    return [pluralOf(other), placed('Connections', field)];
  });
}

/** By each field that names the list. */
function backReferences({ key }: Entity, all: readonly Entity[]): Row[] {
  return all.flatMap((from) =>
    Object.entries(from.fields).flatMap(([field, { place }]): Row[] => {
      if (place.kind !== 'connection' || place.to !== key || pluralOf(from) === '') return [];
      const help = `IDs of the ${from.title}s that use this list`;
      return [[pluralOf(from), placed('Connections', backReference({ from: from.key, field, help }))]];
    }),
  );
}

function counts({ key }: Entity, all: readonly Entity[]): Row[] {
  const owned = all.filter((one) => one.owner?.entity === key && pluralOf(one) !== '').toSorted(byTitle);
  return owned.map((one) => [`${pluralOf(one)}Count`, placed('General', count(one.key, `${one.title}s`))]);
}

/** Before the first field of such a kind, or at the end. */
const before =
  (...kinds: readonly Place['kind'][]) =>
  (rows: readonly Row[]): number => {
    const index = rows.findIndex(([, { place }]) => kinds.includes(place.kind));
    return index === -1 ? rows.length : index;
  };

/** By what an entity is, and where the field goes in its table (reference, W11, W23). */
const derived: {
  readonly [Side in ExchangeRole['side']]: {
    readonly of: (entity: Entity, all: readonly Entity[]) => Row[];
    readonly at: (rows: readonly Row[]) => number;
  };
} = {
  supply: { of: connections, at: before('statistic') },
  demand: { of: connections, at: before('url', 'statistic') },
  list: { of: backReferences, at: (rows) => rows.findIndex(([name]) => name === 'Name') + 1 },
  account: { of: counts, at: (rows) => rows.length },
  deal: { of: () => [], at: (rows) => rows.length },
  floor: { of: () => [], at: (rows) => rows.length },
};

/** Throws if two rows share a name. */
function tableOf({ key }: Entity, rows: readonly Row[]): Entity['fields'] {
  const names = rows.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${key} has two fields ${twice}, one of which is derived`);
  return Object.fromEntries(rows);
}

/**
 * Adds what follows from other entities: connections by `serves`, lists' users, accounts' counts, and what an object
 * can't do without. Throws if declarations contradict each other.
 */
export function connected(all: readonly Entity[]): readonly Entity[] {
  return all.map((entity) => {
    if (!entity.exchange) return entity;
    const { of, at } = derived[entity.exchange.side];
    const own: readonly Row[] = Object.entries(entity.fields);
    const whole = { ...entity, fields: tableOf(entity, own.toSpliced(at(own), 0, ...of(entity, all))) };
    const warnings = [...(entity.warnings ?? []), ...readiness(whole)];
    return warnings.length > 0 ? { ...whole, warnings } : whole;
  });
}
