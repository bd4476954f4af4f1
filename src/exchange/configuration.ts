import type { FormerSecrets } from '../entities/former-secrets.ts';
import type {
  AccountKind,
  DealKind,
  DemandKindName,
  ExchangeKind,
  FloorKind,
  SettingsOf,
  SupplyKind,
  TargetedKind,
} from '../entities/kinds.ts';
import type { FormerZone } from '../shared/limit-days.ts';

/** Whole, with every setting filled in. */
export interface ConfigurationObject<K extends ExchangeKind = ExchangeKind> {
  readonly entity: K;
  readonly id: number;
  readonly teamId: number;
  readonly ownerId: number | undefined;
  /** 0 = Active, 1 = Inactive. */
  readonly status: number;
  /** A field that was omitted has its row's `omitted` value. */
  readonly settings: SettingsOf<K>;
  /** IDs by connection field (or back reference), each list in its own order. */
  readonly connections: Readonly<Record<string, readonly number[]>>;
  /** Replaced credentials that still work for a while, by field. */
  readonly formerSecrets?: FormerSecrets | undefined;
  /** By which days of limits went before. */
  readonly formerZones?: readonly FormerZone[] | undefined;
  /** The revision that wrote a list's text; 0 or absent if there is none. */
  readonly textRevision?: number;
}

export type SupplyObject = ConfigurationObject<SupplyKind>;
export type DemandObject = ConfigurationObject<DemandKindName>;
export type ServedObject = ConfigurationObject<SupplyKind | DemandKindName>;
export type DealObject = ConfigurationObject<DealKind>;
export type FloorObject = ConfigurationObject<FloorKind>;
export type TargetedObject = ConfigurationObject<TargetedKind>;
export type AccountObject = ConfigurationObject<AccountKind>;

export interface ConfigurationChange {
  readonly revision: number;
  readonly entity: string;
  readonly id: number;
}

/** The change log and objects of all teams. Methods may reject while the database is down; unknown entities throw. */
export interface ConfigurationFeed {
  /** The last committed revision; 0 if nothing has changed yet. */
  revision(): Promise<number>;
  /** All objects of an entity, or those of `ids` that exist, in pages by ID. */
  objects(entity: string, ids?: readonly number[]): AsyncIterable<readonly ConfigurationObject[]>;
  object(entity: string, id: number): Promise<ConfigurationObject | undefined>;
  /** At most `limit` changes after a revision, in order. A changed connection changes each object that shows it. */
  changes(afterRevision: number, limit: number): Promise<readonly ConfigurationChange[]>;
  /** In chunks that end at a line's end. */
  text(entity: string, id: number): AsyncIterable<string>;
  /** Calls the listener after own commits at once, after others' within a second. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

/** The same for all processes of the installation. */
export interface TrackerKey {
  /** Counts from 0 in order of time; each token carries it. */
  readonly id: number;
  readonly secret: Uint8Array;
  /** Seals tokens from then until the next key's time; milliseconds since 1970. */
  readonly fromMs: number;
}
