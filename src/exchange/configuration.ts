import type { FormerSecrets } from '../entities/former-secrets.ts';
import type { AccountKind, DemandKindName, ExchangeKind, SettingsOf, SupplyKind } from '../entities/kinds.ts';

/** An object of configuration, as the exchange is given it: whole, every setting filled. */
export interface ConfigurationObject<K extends ExchangeKind = ExchangeKind> {
  readonly entity: K;
  readonly id: number;
  readonly teamId: number;
  /** ID of the publisher or advertiser; undefined where the entity has no owner. */
  readonly ownerId: number | undefined;
  /** 0 = Active, 1 = Inactive. */
  readonly status: number;
  /** Stored values by field name; a field that was omitted has the value of its row's `omitted`. */
  readonly settings: SettingsOf<K>;
  /** IDs by the name of the connection field (or back reference), each in its own order. */
  readonly connections: Readonly<Record<string, readonly number[]>>;
  /** Credentials that were replaced and still work for a while, by the name of their field. */
  readonly formerSecrets?: FormerSecrets | undefined;
  /** Revision that wrote the text of a list; 0 or absent where there is none. */
  readonly textRevision?: number;
}

export type SupplyObject = ConfigurationObject<SupplyKind>;
export type DemandObject = ConfigurationObject<DemandKindName>;
export type ServedObject = ConfigurationObject<SupplyKind | DemandKindName>;
/** A publisher or an advertiser as it is configured. */
export type AccountObject = ConfigurationObject<AccountKind>;

export interface ConfigurationChange {
  readonly revision: number;
  readonly entity: string;
  readonly id: number;
}

/**
 * The exchange's one way to its configuration: the change log and the objects that it names, of all teams. Every method
 * may reject while the database cannot be reached. Unknown entities are a slip of the program and throw.
 */
export interface ConfigurationFeed {
  /** The last revision, which is the last of a transaction; 0 where nothing has changed yet. */
  revision(): Promise<number>;
  /** All objects of an entity, or those of `ids` that exist, page by page, in order of ID. */
  objects(entity: string, ids?: readonly number[]): AsyncIterable<readonly ConfigurationObject[]>;
  /** One object as it is now, or undefined where there is none. */
  object(entity: string, id: number): Promise<ConfigurationObject | undefined>;
  /**
   * At most `limit` changes after a revision, in order. A changed connection is a change of each object that shows it.
   */
  changes(afterRevision: number, limit: number): Promise<readonly ConfigurationChange[]>;
  /** The text of a list as it is now, in parts that end at a line's end. */
  text(entity: string, id: number): AsyncIterable<string>;
  /**
   * Calls the listener at once after commits of this process, and within a second after those of others. Returns a
   * function that ends this.
   */
  onChange(listener: () => void): () => void;
}

/** A key of trackers: the same for all processes of the installation. */
export interface TrackerKey {
  /** From 0, in the order of their times; it stands in each token. */
  readonly id: number;
  readonly secret: Uint8Array;
  /** From when on it seals, until the next one does; milliseconds since 1970. */
  readonly fromMs: number;
}
