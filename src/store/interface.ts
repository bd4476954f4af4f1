import type { Entity } from '../entities/entity.ts';
import type { ConfigurationFeed, TrackerKey } from '../exchange/configuration.ts';
import type { AlertStore } from './alerts/interface.ts';
import type { IdentityStore, IdentityWrites } from './identity/interface.ts';
import type { ReconciliationStore } from './reconciliation/interface.ts';
import type { SendingStore } from './sending/interface.ts';
import type { StatisticsStore } from './statistics/interface.ts';

/** Who makes a change, as the audit trail keeps it. User 0 is the program itself (command line, first start). */
export interface Actor {
  readonly teamId: number;
  readonly userId: number;
}

/** Values of an object in stored form, by field name. */
export type Values = Readonly<Record<string, unknown>>;

/** The text of a list, read and counted, in parts that end at a line's end. */
export type TextParts = readonly string[];

/** What `add` and `update` write, sorted by where it is stored. */
export interface ObjectWrite {
  /** Fields of the document; on update only those that were sent. */
  readonly document: Values;
  /** The account manager's user ID, where the entity keeps one of its own. */
  readonly managerId?: number;
  /** IDs by the name of the connection field; on update only the fields that were sent. */
  readonly connections: Readonly<Record<string, readonly number[]>>;
  readonly text?: TextParts;
}

/** An object as read: its document, and what the database derives for it. */
export interface StoredObject {
  readonly id: number;
  readonly teamId: number;
  /** 0 = Active, 1 = Inactive. */
  readonly status: number;
  /** Revision of the last change that the object shows in its own fields. */
  readonly revision: number;
  readonly document: Values;
  /**
   * The owner's account, or the object's own where it is an account itself; `""` and 0 where the entity has neither.
   */
  readonly account: Account;
  /** Arrays of IDs and counts, by field name. */
  readonly derived: Values;
}

/** The document of an object, every field of it filled as if nothing had been omitted. */
export interface WholeDocument {
  readonly entity: string;
  readonly id: number;
  readonly ownerId: number | undefined;
  readonly document: Values;
}

export interface FoundLine {
  readonly id: number;
  readonly line: string;
}

/** What an object shows of the publisher or advertiser that it is or belongs to. */
export interface Account {
  readonly name: string;
  readonly username: string;
  readonly statsAuth: string;
  readonly managerId: number;
  readonly managerName: string;
}

/** The single form carries every field, the array form what the field tables leave in it; or the fields named. */
export type Form = 'single' | 'array' | readonly string[];

/** Which objects of a team a fetch asks for; members that are absent do not restrict. */
export interface Filter {
  readonly id?: number;
  readonly ownerId?: number;
  readonly managerId?: number;
  readonly activeOnly?: boolean;
  readonly afterId?: number;
  readonly ids?: readonly number[];
}

/** What another object's change did to one field of this one. */
export interface LinkChange {
  readonly Added: readonly number[];
  /** IDs that were removed, each with its index in the array before the change. */
  readonly Removed: readonly { readonly Id: number; readonly Index: number }[];
}

/**
 * Kinds of log entries about users, API keys and the team itself; they never hold a password, a token or a hash of
 * either.
 */
export const peopleKinds = ['User', 'ApiKey', 'Team'] as const;
/** One of these kinds, as the history names it. */
export type PeopleKind = (typeof peopleKinds)[number];

export interface ChangedObject {
  readonly revision: number;
  /** Key of its entity, or a `PeopleKind`. */
  readonly entity: string;
  readonly id: number;
}

/** One row of the change log: of an object, a user or an API key. */
export interface ChangeRecord extends ChangedObject {
  readonly timeMs: number;
  readonly userId: number;
  readonly operation: string;
  /**
   * Values of the changed fields as they were (null on add) and as they became; never secrets. The field of a
   * list's text is true in `after` where the text was written, as is that of a credential that was replaced.
   */
  readonly before: Values | null;
  readonly after: Values;
  /** By field: what changed because another object connected or disconnected this one. */
  readonly links: Readonly<Record<string, LinkChange>>;
}

/** Which changes of a team are asked for; members that are absent do not restrict. */
export interface ChangeFilter {
  readonly entity?: string;
  readonly id?: number;
  /**
   * Only changes by which an object came to this owner (`formerOwnerId`: left it). Goes with `entity`, the kind of the
   * object.
   */
  readonly ownerId?: number;
  readonly formerOwnerId?: number;
  readonly userId?: number;
  /** Only changes of a field of that name. */
  readonly field?: string;
  readonly fromMs?: number;
  /** Exclusive. */
  readonly untilMs?: number;
  readonly afterRevision?: number;
  /** Leaves out changes of these kinds. */
  readonly exceptEntities?: readonly string[];
  readonly upToRevision?: number;
  /** Newest first instead of oldest first. */
  readonly newestFirst?: boolean;
}

/** The first answer to a request that can be repeated. */
export interface RememberedAnswer {
  readonly requestHash: string;
  readonly answer: string;
}

/** Reads of one team. Within a transaction they see its state; otherwise each call sees the state of its moment. */
export interface TeamReads {
  /** Revision of the team's last change; 0 where nothing has changed yet. */
  revision(): Promise<number>;
  /** The object, or undefined when it is absent or of another team. */
  find(entity: Entity, id: number): Promise<StoredObject | undefined>;
  /** At most `limit` of the team's objects, whole, in order of ID. */
  page(entity: Entity, filter: Filter, limit: number): Promise<StoredObject[]>;
  /** Documents of the team's objects with these IDs, in order of ID; IDs that are not the team's are left out. */
  documents(entity: Entity, ids: readonly number[]): Promise<WholeDocument[]>;
  text(entity: Entity, id: number): AsyncIterable<string>;
  /** The members of `ids`, in their order, that name no object of entity `key` (or no user, for `User`) in the team. */
  missing(key: string, ids: readonly number[]): Promise<number[]>;
  /** Whether another object than `exceptId` holds that value of a unique field, in any team. */
  taken(entity: Entity, field: string, value: string, exceptId: number): Promise<boolean>;
}

/** One transaction that writes. Everything in it happens, or nothing; see `Store.write`. */
export interface Transaction extends TeamReads {
  /** Adds an object, active, and answers its ID. Rejects when another holds one of its unique values. */
  insert(entity: Entity, write: ObjectWrite): Promise<number>;
  /** Adds an object, active, and answers it; undefined, and nothing is written, when `insert` would reject. */
  add(entity: Entity, write: ObjectWrite): Promise<StoredObject | undefined>;
  /** Changes an object that `find` has returned; does nothing when no value would change. A text is always written. */
  update(entity: Entity, current: StoredObject, write: ObjectWrite): Promise<void>;
  /** Sets the status of an object that `find` has returned; does nothing when it has that status already. */
  setStatus(entity: Entity, current: StoredObject, status: 0 | 1): Promise<void>;
  /** Replaces a credential of an object that `find` has returned by the values; the log tells only that it was. */
  rotate(entity: Entity, current: StoredObject, rotation: Rotation): Promise<void>;
  /** The answer that was remembered under that key hash in the actor's team, in the last 24 hours. */
  recall(keyHash: string): Promise<RememberedAnswer | undefined>;
  /** Remembers an answer for 24 hours. */
  remember(keyHash: string, remembered: RememberedAnswer): Promise<void>;
  /** Makes a team a demonstration, or replaces what is stored of its demonstration. */
  setDemonstration(demonstration: Demonstration): Promise<void>;
  /** Writes of users and tokens, in this transaction. */
  readonly identity: IdentityWrites;
}

export interface Rotation {
  readonly field: string;
  /** It, and the former ones, as members of the document. */
  readonly values: Values;
}

export interface WriteOptions {
  /** True: everything is done and then undone; the job's result is what it would have been. */
  readonly dryRun?: boolean;
  /**
   * True: `add` is the job's last use of the transaction, and the job only makes its result from the answer. If that
   * fails, what was added may stay. The next job may begin, and the commit may be sent, before the answer has come; all
   * jobs still take effect in the order they came.
   */
  readonly endsWithAdd?: boolean;
}

/** Connections to a database server: all, those that are idle, and the calls that wait for one. */
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

/** What `bourse demo` has put into a team. */
export interface Demonstration {
  readonly teamId: number;
  readonly url: string;
  /** Without it in the URL, its mock DSPs answer nobody. */
  readonly key: string;
  readonly tags: readonly DemoTag[];
}

/** Commits of the threads of this process that share a database. */
export interface SharedCommits {
  /** Whether this thread hears a database server of commits for all, and tells the others. */
  readonly isFirst: boolean;
  /** Counts a commit of this thread, and tells the other threads of it. */
  announce(): void;
  /** Number of commits that all threads have announced. */
  count(): number;
  /** Calls the listener when another thread has announced a commit. */
  onAnnounced(listener: () => void): void;
}

/** Lock among the threads of one process that write to one SQLite file. */
export interface WriterLock {
  /**
   * Resolves once this thread holds the lock, and after a second even if it does not: the file has a lock of its own,
   * for which threads then compete as processes do.
   */
  acquire(): Promise<void>;
  /** Releases the lock of this thread, or the lock or the waiting of a thread that has ended. */
  release(thread?: number): void;
}

export interface StoreOptions {
  /** `sqlite:<path>` or `postgres://…`. */
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** For threads of this process that share a file. */
  readonly writerLock?: WriterLock | undefined;
  /** For threads of this process that share a database. */
  readonly sharedCommits?: SharedCommits | undefined;
  /** How many threads of this process share a database, and its connections; 1 by default. */
  readonly threads?: number;
}

export interface StoreLoad {
  readonly writesWaiting: number;
  /** Undefined where the database is a file. */
  readonly pool: PoolLoad | undefined;
}

/**
 * The exchange's configuration and its users, on one database. Values in and out are in stored form.
 * Every method may reject with `Refusal('unavailable')` while the database cannot be reached.
 */
export interface Store {
  readonly identity: IdentityStore;
  /** Whether the database is a server, on which other machines may work too. */
  readonly isOnServer: boolean;
  readonly statistics: StatisticsStore;
  readonly sending: SendingStore;
  readonly alerts: AlertStore;
  readonly reconciliation: ReconciliationStore;
  /** One object, or undefined when it is absent, of another team, or outside the filter. */
  find(entity: Entity, teamId: number, filter: Filter): Promise<StoredObject | undefined>;
  /** At most `limit` objects in a form (by default that of arrays), in order of ID. */
  page(entity: Entity, teamId: number, filter: Filter, limit: number, form?: Form): Promise<StoredObject[]>;
  /** The same reads as in a transaction of that team, without waiting for writers. */
  reads(teamId: number): TeamReads;
  /** The text of a list in its parts, as of a revision (by default the last); empty for an empty list. */
  text(entity: Entity, id: number, atRevision?: number): AsyncIterable<string>;
  /**
   * The team's lists of an entity in which a line holds a text, each with its nearest such line: the domain or one above
   * it, the address or a range around it, the same text. At most `limit`, in order of ID.
   */
  findLines(entity: Entity, teamId: number, text: string, limit: number): Promise<FoundLine[]>;
  /** At most `limit` changes of a team, in order of revision. */
  changes(teamId: number, filter: ChangeFilter, limit: number): Promise<ChangeRecord[]>;
  /** Revisions of at most `limit` such changes, in the same order. */
  revisions(teamId: number, filter: ChangeFilter, limit: number): Promise<number[]>;
  /** Which objects of a team changed after a revision: at most `limit` changes, in order. */
  changed(teamId: number, afterRevision: number, limit: number): Promise<ChangedObject[]>;
  /** The last revision; 0 where nothing has changed yet. */
  revision(): Promise<number>;
  /** The configuration of all teams, for the exchange. */
  readonly feed: ConfigurationFeed;
  load(): StoreLoad;
  /** What keeps the database from being written to though it can be read, as far as is known: its disk is full. */
  trouble(): string | undefined;
  /** Migrations of newer versions that the database had had when it was opened; they only add. */
  readonly newerMigrations: readonly string[];
  /** Why this program cannot go on: a newer version has since changed what it uses. Undefined while it can. */
  changedMeanwhile(): Promise<string | undefined>;
  /** 32 random bytes under a name, made at the first call: the same for every thread and process, for ever. */
  secret(name: string): Promise<Buffer>;
  /** The keys that trackers were ever sealed with or will be, in the order of their times. */
  trackerKeys(): Promise<TrackerKey[]>;
  /** Adds one and answers its ID; undefined, and none is added, where another is used from that time on or later. */
  addTrackerKey(fromMs: number): Promise<number | undefined>;
  demonstrations(): Promise<Demonstration[]>;
  /**
   * Runs a job in a transaction and resolves once it is durable. A job that rejects leaves no trace. Jobs run one after
   * the other; jobs that wait at the same time share one commit. A job may run more than once, when another job of the
   * same commit fails; only its last run counts.
   */
  write<T>(actor: Actor, job: (transaction: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Waits for writes under way and closes the database. */
  close(): Promise<void>;
}
