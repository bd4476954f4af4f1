/** An object as the exchange is given it: whole, every field of its document filled. */
export interface FeedObject {
  /** Key of its entity. */
  readonly entity: string;
  readonly id: number;
  readonly teamId: number;
  readonly ownerId: number | undefined;
  /** 0 = Active, 1 = Inactive. */
  readonly status: number;
  /** Stored values by field name; a field that was omitted has the value of its row in the field table. */
  readonly document: Readonly<Record<string, unknown>>;
  /** IDs by the name of the connection field (or back reference), each in its own order. */
  readonly connections: Readonly<Record<string, readonly number[]>>;
  /** Revision that wrote the text of a list; 0 where there is none. */
  readonly textRevision: number;
}

/** Which object changed at a revision. */
export interface FeedChange {
  readonly revision: number;
  readonly entity: string;
  readonly id: number;
}

/**
 * What the exchange is told of the configuration: all teams' objects and the change log. Every method may reject with
 * `Refusal('unavailable')` while the database cannot be reached. Unknown entities are a slip of the program and throw.
 */
export interface Feed {
  /** The last revision; 0 where nothing has changed yet. Always the last one of a transaction. */
  revision(): Promise<number>;
  /** All objects of an entity, or those of `ids` that exist, page by page, in order of ID. */
  objects(entity: string, ids?: readonly number[]): AsyncIterable<readonly FeedObject[]>;
  /** One object as it is now, or undefined where there is none. */
  object(entity: string, id: number): Promise<FeedObject | undefined>;
  /**
   * At most `limit` changes after a revision, in order. A change of a connection that both its ends show is a change
   * of each.
   */
  changes(afterRevision: number, limit: number): Promise<readonly FeedChange[]>;
  /** The text of a list as it is now, in parts that end at a line's end. */
  text(entity: string, id: number): AsyncIterable<string>;
  /** Calls the listener at once after commits of this process, within a second of others'; answers what ends that. */
  onChange(listener: () => void): () => void;
}
