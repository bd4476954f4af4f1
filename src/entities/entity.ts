import type { Static, TSchema } from 'typebox';
import type { Fault } from '../fields/fault.ts';
import type { Field, Place } from '../fields/field.ts';
import type { Placed } from '../fields/section.ts';
import type { DeliverySection } from '../fields/section-names.ts';
import type { ExchangeRole } from './exchange-role.ts';
import type { SettingWarning } from './setting-warning.ts';

/** The operations that every entity offers (reference, "Resources"). */
export type Operation = 'add' | 'update' | 'activate' | 'deactivate' | 'rotate' | 'get';

/** Fields by name, as the specification writes and orders them. */
export type Fields = Readonly<Record<string, Placed<Field>>>;

/** The owner of an entity's objects: the owning entity's key, and the field that holds its ID. */
export interface Owner {
  readonly entity: string;
  readonly field: string;
}

/** A resource of the management API, as data: everything the program knows of it. */
export interface Entity<F extends Fields = Fields> {
  /** Unique name in code, tables and history, as `DspVastTag`. */
  readonly key: string;
  /** Name for people, as `DSP VAST Tag`. */
  readonly title: string;
  /** What one of its objects is, as the end of a sentence: "A VAST Tag is …". */
  readonly help: string;
  /** Key of the body that holds the object. Two entities share `DspRtbEp` and are told apart by path. */
  readonly wrapper: string;
  /** Path below `/api/`. */
  readonly path: string;
  readonly owner?: Owner;
  /** What it is to the exchange; absent where its objects are only for people. */
  readonly exchange?: ExchangeRole;
  /** Operations that the specification lists; the others are our extensions. */
  readonly documented: readonly Operation[];
  /** Fields whose value no other object of the entity may have, in the whole installation. */
  readonly unique?: readonly string[];
  /** Checks on the whole object, when each field by itself is right. Paths are relative to the object. */
  readonly check?: (values: Readonly<Record<string, unknown>>) => readonly Fault[];
  /** What answers warn of, once each field and `check` let the object pass. */
  readonly warnings?: readonly SettingWarning[];
  /** In the order of the wire (reference, W11). */
  readonly fields: F;
}

/** Declares an entity, and keeps the exact type of its key, its role and each field. */
export function defineEntity<const E extends Entity>(entity: E): E {
  return entity;
}

type Accepted<F> = F extends Field<infer In extends TSchema> ? Static<In> : never;
type Returned<F> = F extends Field<TSchema, infer Out extends TSchema> ? Static<Out> : never;
type Names<F extends Fields, P> = { [K in keyof F]: F[K]['presence'] extends P ? K : never }[keyof F];

/** What `add` accepts. */
export type Input<E extends Entity> = {
  -readonly [K in Names<E['fields'], 'required'>]: Accepted<E['fields'][K]>;
} & {
  -readonly [K in Names<E['fields'], 'optional'>]?: Accepted<E['fields'][K]>;
};

/** What a client gets. @internal */
export type Output<E extends Entity> = { -readonly [K in keyof E['fields']]: Returned<E['fields'][K]> };

type Unchanging<T> = T extends readonly (infer Item)[] ? readonly Unchanging<Item>[] : Readonly<T>;
/** The stored form: what `clean` makes of the accepted one, where the field's kind has one of its own. */
type Stored<F> = F extends { clean(value: never): infer S } ? Unchanging<S> : Unchanging<Accepted<F>>;
/** Places of values that are in the entity's document. */
interface InSettings {
  readonly place: Extract<Place, { readonly kind: 'document' | 'secret' | 'lineCount' }>;
}

type ForDelivery = InSettings & ({ readonly section: DeliverySection } | { readonly isForDelivery: true });

/** The settings that delivery reads. Of credentials it knows the hash (`store/feed.ts`). */
export type DeliverySettings<E extends Entity> = {
  readonly [K in keyof E['fields'] as E['fields'][K] extends ForDelivery ? K : never]: Stored<E['fields'][K]>;
};
