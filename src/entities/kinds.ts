import type { DeliverySettings } from './entity.ts';
import type { DemandRole, ExchangeRole, SupplyRole } from './exchange-role.ts';
import { type Declared, entities } from './registry.ts';

type Side = ExchangeRole['side'];
type KeyOf<S extends Side> = Extract<Declared, { readonly exchange: { readonly side: S } }>['key'];

/** Entities of the supply side, which have endpoints, by their key. */
export type SupplyKind = KeyOf<'supply'>;
export type DemandKindName = KeyOf<'demand'>;
/** Entities whose objects are parts of an auction. */
export type ServedKind = SupplyKind | DemandKindName;
/** Entities whose text the exchange matches against. */
export type ListKind = KeyOf<'list'>;
/** Entities whose objects own supply or demand. */
export type AccountKind = KeyOf<'account'>;
export type ExchangeKind = KeyOf<Side>;

type EntityOf<K extends ExchangeKind> = Extract<Declared, { readonly key: K }>;
type NamesIn<S> = S extends unknown ? keyof S : never;
type ValueIn<S, Name> = S extends unknown ? (Name extends keyof S ? S[Name] : undefined) : never;
type Joined<S> = { readonly [Name in keyof S]: S[Name] } & {
  readonly [Name in Exclude<NamesIn<S>, keyof S>]?: ValueIn<S, Name> | undefined;
};

/**
 * The settings of objects of a kind, as far as delivery reads them; of several kinds, those that any of them has: absent
 * in the others.
 */
export type SettingsOf<K extends ExchangeKind> = Joined<
  K extends ExchangeKind ? DeliverySettings<EntityOf<K>> : never
>;

/** The names of settings of these kinds that hold values of that type. */
export type FieldWith<Value, K extends ExchangeKind> = {
  [Name in keyof SettingsOf<K>]-?: Exclude<SettingsOf<K>[Name], undefined> extends Value ? Name : never;
}[keyof SettingsOf<K>];

function keysOf<S extends Side>(side: S): readonly KeyOf<S>[] {
  return entities.flatMap(({ key, exchange }) => (exchange?.side === side ? [key as KeyOf<S>] : []));
}

/** The kinds of supply, in the order of the registry. */
export const supplyKindNames = keysOf('supply');
/** The kinds of demand by name, the order in which auctions look at them. */
export const demandKindNames = keysOf('demand').toSorted();
export const listKindNames = keysOf('list');
export const accountKindNames = keysOf('account');
/** The keys of both sides. */
export const servedKindNames: readonly ServedKind[] = [...supplyKindNames, ...demandKindNames];
/** The keys of all entities that the exchange knows. */
export const exchangeKindNames: readonly ExchangeKind[] = [
  ...accountKindNames,
  ...demandKindNames,
  ...supplyKindNames,
  ...listKindNames,
];

const roles = new Map(entities.map(({ key, exchange }) => [key, exchange]));

/** What an entity's declaration says of its kind. */
export function roleOf<K extends ServedKind>(kind: K): K extends SupplyKind ? SupplyRole : DemandRole {
  return roles.get(kind) as K extends SupplyKind ? SupplyRole : DemandRole;
}

/** Whether the entity of that key is a kind of supply. */
export const isSupply = (key: string): key is SupplyKind => roles.get(key)?.side === 'supply';

/** Whether the entity of that key owns supply or demand. */
export const isAccount = (key: string): key is AccountKind => roles.get(key)?.side === 'account';

/** Whether bid requests of OpenRTB come to the objects of a kind, and not requests of its URLs. */
export function takesBidRequests(kind: ServedKind): boolean {
  const role = roles.get(kind);
  return role?.side === 'supply' && role.request === 'OpenRtb';
}

const connections = new Map(
  entities.map(({ key, fields }) => [
    key,
    new Map(
      Object.entries(fields).flatMap(([name, { place }]) =>
        place.kind === 'connection' && place.mirror !== undefined ? [[place.to, name]] : [],
      ),
    ),
  ]),
);

/** The field in which objects of one kind list those of another that they are connected to; `""` if they cannot be. */
export function connectionField(from: ExchangeKind, to: ExchangeKind): string {
  return connections.get(from)?.get(to) ?? '';
}
