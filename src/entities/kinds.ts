import type { DeliverySettings } from './entity.ts';
import type { DealRole, DemandRole, ExchangeRole, FloorRole, SupplyRole } from './exchange-role.ts';
import { type Declared, entities } from './registry.ts';

type Side = ExchangeRole['side'];
type KeyOf<S extends Side> = Extract<Declared, { readonly exchange: { readonly side: S } }>['key'];

export type SupplyKind = KeyOf<'supply'>;
export type DemandKindName = KeyOf<'demand'>;
export type ServedKind = SupplyKind | DemandKindName;
export type DealKind = KeyOf<'deal'>;
export type FloorKind = KeyOf<'floor'>;
/** Of which limits count what is used. */
export type LimitedKind = ServedKind | DealKind;
/** Restricted to opportunities by targeting rules. */
export type TargetedKind = LimitedKind | FloorKind;
export type ListKind = KeyOf<'list'>;
export type AccountKind = KeyOf<'account'>;
export type ExchangeKind = KeyOf<Side>;

type EntityOf<K extends ExchangeKind> = Extract<Declared, { readonly key: K }>;
type NamesIn<S> = S extends unknown ? keyof S : never;
type ValueIn<S, Name> = S extends unknown ? (Name extends keyof S ? S[Name] : undefined) : never;
type Joined<S> = { readonly [Name in keyof S]: S[Name] } & {
  readonly [Name in Exclude<NamesIn<S>, keyof S>]?: ValueIn<S, Name> | undefined;
};

/** Settings that delivery reads; of several kinds, those that any has, absent in the others. */
export type SettingsOf<K extends ExchangeKind> = Joined<
  K extends ExchangeKind ? DeliverySettings<EntityOf<K>> : never
>;

/** Settings of these kinds with values of that type. */
export type FieldWith<Value, K extends ExchangeKind> = {
  [Name in keyof SettingsOf<K>]-?: Exclude<SettingsOf<K>[Name], undefined> extends Value ? Name : never;
}[keyof SettingsOf<K>];

function keysOf<S extends Side>(side: S): readonly KeyOf<S>[] {
  return entities.flatMap(({ key, exchange }) => (exchange?.side === side ? [key as KeyOf<S>] : []));
}

/** In the order of the registry. */
export const supplyKindNames = keysOf('supply');
/** In the order in which auctions look at them. */
export const demandKindNames = keysOf('demand').toSorted();
const dealKindNames = keysOf('deal');
const floorKindNames = keysOf('floor');
export const listKindNames = keysOf('list');
export const accountKindNames = keysOf('account');
export const servedKindNames: readonly ServedKind[] = [...supplyKindNames, ...demandKindNames];
export const limitedKindNames: readonly LimitedKind[] = [...servedKindNames, ...dealKindNames];
export const exchangeKindNames: readonly ExchangeKind[] = [
  ...accountKindNames,
  ...demandKindNames,
  ...supplyKindNames,
  ...dealKindNames,
  ...floorKindNames,
  ...listKindNames,
];

const roles = new Map(entities.map(({ key, exchange }) => [key, exchange]));

type RoleOf<K extends TargetedKind> = K extends SupplyKind
  ? SupplyRole
  : K extends DealKind
    ? DealRole
    : K extends FloorKind
      ? FloorRole
      : DemandRole;

export function roleOf<K extends TargetedKind>(kind: K): RoleOf<K> {
  return roles.get(kind) as RoleOf<K>;
}

export const isDeal = (key: string): key is DealKind => roles.get(key)?.side === 'deal';

export const isSupply = (key: string): key is SupplyKind => roles.get(key)?.side === 'supply';

export const isAccount = (key: string): key is AccountKind => roles.get(key)?.side === 'account';

/** Instead of requests to its URLs. */
export function takesBidRequests(kind: TargetedKind): boolean {
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

/** The field of one kind that lists connected objects of another; `""` if they cannot be connected. */
export function connectionField(from: ExchangeKind, to: ExchangeKind): string {
  return connections.get(from)?.get(to) ?? '';
}
