import type { Static, TSchema } from 'typebox';
import type { Fault } from '../fields/fault.ts';
import type { Field, Place } from '../fields/field.ts';
import type { Placed } from '../fields/section.ts';
import type { DeliverySection } from '../fields/section-names.ts';
import type { ExchangeRole } from './exchange-role.ts';
import type { SettingWarning } from './setting-warning.ts';

/** Offered by every entity (reference, "Resources"). */
export type Operation = 'add' | 'update' | 'activate' | 'deactivate' | 'rotate' | 'get';

/** In the specification's order. */
export type Fields = Readonly<Record<string, Placed<Field>>>;

/** The owning entity's key, and the field with its ID. */
export interface Owner {
  readonly entity: string;
  readonly field: string;
}

/** A resource of the management API: all that the program knows of it. */
export interface Entity<F extends Fields = Fields> {
  /** Unique in code, tables and history, as `DspVastTag`. */
  readonly key: string;
  /** As `DSP VAST Tag`. */
  readonly title: string;
  /** Completes the sentence "A VAST Tag is …". */
  readonly help: string;
  /** Key of the body's object. Two entities share `DspRtbEp` and differ by path. */
  readonly wrapper: string;
  /** Below `/api/`. */
  readonly path: string;
  readonly owner?: Owner;
  /** Absent if its objects are only for people. */
  readonly exchange?: ExchangeRole;
  /** In the specification; the others are our extensions. */
  readonly documented: readonly Operation[];
  /** A text that no other object has. */
  readonly unique?: { readonly field: string; readonly within: 'installation' | 'team' };
  /** Checks the whole object once each field is right. Paths are relative to the object. */
  readonly check?: (values: Readonly<Record<string, unknown>>) => readonly Fault[];
  /** Warnings in answers, once the object is valid. */
  readonly warnings?: readonly SettingWarning[];
  /** In the order of the wire (reference, W11). */
  readonly fields: F;
}

/** Keeps the exact type of key, role and fields. */
export function defineEntity<const E extends Entity>(entity: E): E {
  return entity;
}

type Accepted<F> = F extends Field<infer In extends TSchema> ? Static<In> : never;
type Returned<F> = F extends Field<TSchema, infer Out extends TSchema> ? Static<Out> : never;
type Names<F extends Fields, P> = { [K in keyof F]: F[K]['presence'] extends P ? K : never }[keyof F];

/** Accepted by `add`. */
export type Input<E extends Entity> = {
  -readonly [K in Names<E['fields'], 'required'>]: Accepted<E['fields'][K]>;
} & {
  -readonly [K in Names<E['fields'], 'optional'>]?: Accepted<E['fields'][K]>;
};

/** @internal */
export type Output<E extends Entity> = { -readonly [K in keyof E['fields']]: Returned<E['fields'][K]> };

type Unchanging<T> = T extends readonly (infer Item)[] ? readonly Unchanging<Item>[] : Readonly<T>;
/** What `clean` makes of the accepted form, if the kind has one. */
type Stored<F> = F extends { clean(value: never): infer S } ? Unchanging<S> : Unchanging<Accepted<F>>;
/** As stored, whatever of it was sent. */
export type StoredValues<F extends Fields> = { readonly [K in keyof F]: Stored<F[K]> };

interface InSettings {
  readonly place: Extract<Place, { readonly kind: 'document' | 'secret' | 'lineCount' }>;
}

type ForDelivery = InSettings & ({ readonly section: DeliverySection } | { readonly isForDelivery: true });

/** Read by delivery; of credentials only the hash (`store/feed.ts`). */
export type DeliverySettings<E extends Entity> = {
  readonly [K in keyof E['fields'] as E['fields'][K] extends ForDelivery ? K : never]: Stored<E['fields'][K]>;
};
