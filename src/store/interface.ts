import type { Entity } from '../entities/entity.ts';
import type { ConfigurationFeed, TrackerKey } from '../exchange/configuration.ts';
import type { AlertStore } from './alerts/interface.ts';
import type { IdentityStore, IdentityWrites } from './identity/interface.ts';
import type { JobStore } from './jobs/interface.ts';
import type { ReconciliationStore } from './reconciliation/interface.ts';
import type { NewSendings, SendingStore } from './sending/interface.ts';
import type { StatisticsStore } from './statistics/interface.ts';

/** As the audit trail keeps it. User 0 is the program itself (command line, first start). */
export interface Actor {
  readonly teamId: number;
  readonly userId: number;
  /** Of a bulk change, which may take several transactions. */
  readonly batchId?: string | undefined;
}

/** In stored form, by field. */
export type Values = Readonly<Record<string, unknown>>;

/** Read and counted, in chunks that end at a line's end. */
export type TextParts = readonly string[];

/** Sorted by where it is stored. */
export interface ObjectWrite {
  /** On update only those that were sent. */
  readonly document: Values;
  /** If the entity has one of its own. */
  readonly managerId?: number;
  /** By field; on update only the fields that were sent. */
  readonly connections: Readonly<Record<string, readonly number[]>>;
  readonly text?: TextParts;
}

/** Its document, and what the database derives for it. */
export interface StoredObject {
  readonly id: number;
  readonly teamId: number;
  readonly status: number;
  /** The last change that shows in its own fields. */
  readonly revision: number;
  readonly document: Values;
  /** The owner's account, or the object's own; `""` and 0 without either. */
  readonly account: Account;
  /** Arrays of IDs and counts, by field. */
  readonly derived: Values;
}

/** Every field filled as if nothing had been omitted. */
export interface WholeDocument {
  readonly entity: string;
  readonly id: number;
  readonly teamId: number;
  readonly ownerId: number | undefined;
  readonly status: number;
  readonly document: Values;
}

export interface FoundLine {
  readonly id: number;
  readonly line: string;
}

/** Of the publisher or advertiser that it is or belongs to. */
export interface Account {
  readonly name: string;
  readonly username: string;
  readonly statsAuth: string;
  readonly managerId: number;
  readonly managerName: string;
}

/** Every field; those of the array form; or the fields named. */
export type Form = 'single' | 'array' | readonly string[];

/** Absent members do not restrict. */
export interface Filter {
  readonly id?: number;
  readonly ownerId?: number;
  readonly managerId?: number;
  readonly activeOnly?: boolean;
  readonly afterId?: number;
  readonly ids?: readonly number[];
}

/** To one field, by another object's change. */
export interface LinkChange {
  readonly Added: readonly number[];
  /** With their earlier indexes. */
  readonly Removed: readonly { readonly Id: number; readonly Index: number }[];
}

/** Log entries about users, API keys and the team, which never hold passwords, tokens or hashes. */
export const peopleKinds = ['User', 'ApiKey', 'Team'] as const;
export type PeopleKind = (typeof peopleKinds)[number];

export interface ChangedObject {
  readonly revision: number;
  /** Key of its entity, or a `PeopleKind`. */
  readonly entity: string;
  readonly id: number;
}

/** Of an object, a user or an API key. */
export interface ChangeRecord extends ChangedObject {
  readonly timeMs: number;
  readonly userId: number;
  readonly operation: string;
  /** Changed fields (null on add), never secrets. In `after`, a rewritten list text or replaced credential is true. */
  readonly before: Values | null;
  readonly after: Values;
  /** By field: because another object connected or disconnected this one. */
  readonly links: Readonly<Record<string, LinkChange>>;
  readonly batchId?: string;
}

/** What a batch did to the objects of one entity by one operation. */
export interface BatchPart {
  readonly batchId: string;
  readonly entity: string;
  readonly operation: string;
  readonly objects: number;
  /** Whether the same values of all of them changed to the same. */
  readonly isSame: boolean;
}

/** Absent members do not restrict. */
export interface ChangeFilter {
  readonly entity?: string;
  readonly id?: number;
  /** Only changes by which an object of `entity` came to this owner (`formerOwnerId`: left it). */
  readonly ownerId?: number;
  readonly formerOwnerId?: number;
  readonly userId?: number;
  readonly batchId?: string;
  /** Of each batch only the first change that meets the other restrictions, whatever the revisions asked for. */
  readonly oncePerBatch?: boolean;
  /** Only changes of that field. */
  readonly field?: string;
  readonly fromMs?: number;
  /** Exclusive. */
  readonly untilMs?: number;
  readonly afterRevision?: number;
  /** Leaves these kinds out. */
  readonly exceptEntities?: readonly string[];
  readonly upToRevision?: number;
  readonly newestFirst?: boolean;
}

/** To a request that can be repeated. */
export interface RememberedAnswer {
  readonly requestHash: string;
  readonly answer: string;
}

/** Within a transaction of its state, otherwise each call of its moment. */
export interface TeamReads {
  /** The team's last; 0 = nothing has changed yet. */
  revision(): Promise<number>;
  /** Undefined if absent or of another team. */
  find(entity: Entity, id: number): Promise<StoredObject | undefined>;
  /** Whole, in order of ID. */
  page(entity: Entity, filter: Filter, limit: number): Promise<StoredObject[]>;
  /** In order of ID, without those of other teams. */
  documents(entity: Entity, ids: readonly number[]): Promise<WholeDocument[]>;
  text(entity: Entity, id: number): AsyncIterable<string>;
  /** Those of `ids`, in order, without an object of entity `key` (or a user, for `User`) in the team. */
  missing(key: string, ids: readonly number[]): Promise<number[]>;
  /** Whether an object other than `exceptId` has this value of the entity's unique field. */
  taken(entity: Entity, value: string, exceptId: number): Promise<boolean>;
}

/** All or nothing; see `Store.write`. */
export interface Transaction extends TeamReads {
  /** Active; returns its ID. Rejects if a unique value is taken. */
  insert(entity: Entity, write: ObjectWrite): Promise<number>;
  /** Active; undefined, with nothing written, where `insert` would reject. */
  add(entity: Entity, write: ObjectWrite): Promise<StoredObject | undefined>;
  /** As returned by `find`; does nothing if no value would change. A text is always written. */
  update(entity: Entity, current: StoredObject, write: ObjectWrite): Promise<void>;
  /** As returned by `find`; does nothing if it has that status. */
  setStatus(entity: Entity, current: StoredObject, status: 0 | 1): Promise<void>;
  /** Of an object from `find`; the log only says that it was replaced. */
  rotate(entity: Entity, current: StoredObject, rotation: Rotation): Promise<void>;
  /** By the key's hash, in the actor's team, within 24 hours. */
  recall(keyHash: string): Promise<RememberedAnswer | undefined>;
  /** For 24 hours. */
  remember(keyHash: string, remembered: RememberedAnswer): Promise<void>;
  /** Adds or replaces it. */
  setDemonstration(demonstration: Demonstration): Promise<void>;
  /** Once per object, destination and time. */
  addSendings(sendings: NewSendings): Promise<void>;
  /** In this transaction. */
  readonly identity: IdentityWrites;
}

export interface Rotation {
  readonly field: string;
  /** The credential and the former ones, as members of the document. */
  readonly values: Values;
}

export interface WriteOptions {
  /** True: everything is undone; the result is what it would have been. */
  readonly dryRun?: boolean;
  /**
   * True: `add` is the job's last use of the transaction; if making its result fails, what was added may stay. The next
   * job or the commit may go before the answer; jobs still take effect in order.
   */
  readonly endsWithAdd?: boolean;
}

/** All, idle ones, and calls that wait for one. */
export interface PoolLoad {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface DemoTag {
  readonly id: number;
  readonly name: string;
  /** With its macros. */
  readonly zoneUrl: string;
}

/** Put into a team by `bourse demo`. */
export interface Demonstration {
  readonly teamId: number;
  readonly url: string;
  /** Part of its mock DSPs' URLs, which answer nobody without it. */
  readonly key: string;
  readonly tags: readonly DemoTag[];
}

/** Of this process's threads on one database. */
export interface SharedCommits {
  /** Whether this thread listens to a database server for all. */
  readonly isFirst: boolean;
  /** Counts a commit, and tells the other threads. */
  announce(): void;
  count(): number;
  /** By another thread. */
  onAnnounced(listener: () => void): void;
}

/** Among one process's threads that write to one SQLite file. */
export interface WriterLock {
  /** Resolves with the lock, or after a second without it: the file has a lock of its own. */
  acquire(): Promise<void>;
  /** `thread` has ended; it may have held the lock or waited for it. */
  release(thread?: number): void;
}

export interface StoreOptions {
  /** `sqlite:<path>` or `postgres://…`. */
  readonly url: string;
  readonly now: () => number;
  /** For threads of this process that share a file. */
  readonly writerLock?: WriterLock | undefined;
  /** For threads of this process that share a database. */
  readonly sharedCommits?: SharedCommits | undefined;
  /** That share a database and its connections; 1 by default. */
  readonly threads?: number;
  /** For a thread that serves: another one does the work on a file that would hold it up. */
  readonly leavesCheckpoints?: boolean;
  /** Another thread of this process has migrated the database. */
  readonly isMigrated?: boolean;
}

export interface StoreLoad {
  readonly writesWaiting: number;
  /** Undefined if the database is a file. */
  readonly pool: PoolLoad | undefined;
}

/** Configuration and users, in stored form. Methods may reject with `Refusal('unavailable')`. */
export interface Store {
  readonly identity: IdentityStore;
  /** Other machines may then work on it, too. */
  readonly isOnServer: boolean;
  /** Milliseconds since 1970, by the server's clock; absent if the database is a file. */
  readonly clock: (() => Promise<number>) | undefined;
  readonly statistics: StatisticsStore;
  readonly jobs: JobStore;
  readonly sending: SendingStore;
  readonly alerts: AlertStore;
  readonly reconciliation: ReconciliationStore;
  /** Undefined if absent, of another team, or outside the filter. */
  find(entity: Entity, teamId: number, filter: Filter): Promise<StoredObject | undefined>;
  /** In a form (by default that of arrays), in order of ID. */
  page(entity: Entity, teamId: number, filter: Filter, limit: number, form?: Form): Promise<StoredObject[]>;
  /** All the team's objects of a kind, by the index alone. */
  count(entity: Entity, teamId: number): Promise<number>;
  /** As in a transaction of that team, without waiting for writers. */
  reads(teamId: number): TeamReads;
  /** In chunks, as of a revision (by default the last); empty for an empty list. */
  text(entity: Entity, id: number, atRevision?: number): AsyncIterable<string>;
  /**
   * Lists with a line that holds a text (the domain or a parent, the address or its range, the same text), each with
   * the nearest line, in order of ID.
   */
  findLines(entity: Entity, teamId: number, text: string, limit: number): Promise<FoundLine[]>;
  /** In order of revision. */
  changes(teamId: number, filter: ChangeFilter, limit: number): Promise<ChangeRecord[]>;
  /** Of such changes, in the same order. */
  revisions(teamId: number, filter: ChangeFilter, limit: number): Promise<number[]>;
  /** Without changes that only connected. */
  batchParts(teamId: number, batchIds: readonly string[]): Promise<BatchPart[]>;
  /** Which objects changed after a revision, in order. */
  changed(teamId: number, afterRevision: number, limit: number): Promise<ChangedObject[]>;
  /** 0 = nothing has changed yet. */
  revision(): Promise<number>;
  readonly feed: ConfigurationFeed;
  load(): StoreLoad;
  /** What prevents writes though it can be read, as far as is known: its disk is full. */
  trouble(): string | undefined;
  /** Found in the database when it was opened; they only add. */
  readonly newerMigrations: readonly string[];
  /** A newer version has changed what this program uses; undefined while it can go on. */
  changedMeanwhile(): Promise<string | undefined>;
  /** 32 random bytes by name, made at the first call: the same for every thread and process, for ever. */
  secret(name: string): Promise<Buffer>;
  /** All keys, past and future, in the order of their times. */
  trackerKeys(): Promise<TrackerKey[]>;
  /** Returns its ID; undefined, with none added, if another is used from that time on or later. */
  addTrackerKey(fromMs: number): Promise<number | undefined>;
  demonstrations(): Promise<Demonstration[]>;
  /**
   * Resolves once durable; a job that rejects leaves no trace. Jobs run in order and share commits. A job may run again
   * if another of its commit fails; only its last run counts.
   */
  write<T>(actor: Actor, job: (transaction: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Waits for writes under way. */
  close(): Promise<void>;
}
