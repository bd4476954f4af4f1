import { createHash } from 'node:crypto';
import type { ConfigurationFeed } from '../../exchange/configuration.ts';
import type { EdgeKey, User } from '../../store/identity/interface.ts';

/** Version of what edges and their homes say to each other: those of another one refuse each other. */
export const edgeProtocol = 1;

/** What edges need beside objects, of all teams. */
export interface SharedState {
  /** With their secrets in base64. */
  readonly trackerKeys: readonly { readonly id: number; readonly secret: string; readonly fromMs: number }[];
  /** URLs of third-party measurement by the IDs of their teams. */
  readonly measurementUrls: readonly (readonly [teamId: number, url: string])[];
  /** What the URLs of demonstrations' mock DSPs begin with: they may lead to private addresses. */
  readonly demonstrations: readonly string[];
  /** By which further edges may follow an edge. */
  readonly edgeKeys: readonly Pick<EdgeKey, 'id' | 'hash'>[];
}

const hashCharacters = 16;

/** By what edges say which surroundings they have. */
export function sharedStateHash(sharedState: SharedState): string {
  return createHash('sha256').update(JSON.stringify(sharedState)).digest('hex').slice(0, hashCharacters);
}

export type TestUser = Pick<User, 'teamId' | 'status' | 'role'>;

/** The first line of an answer to "what has changed"; then come objects, one a line, then a `ChangesEnd`. */
export interface ChangesBegin {
  readonly protocol: number;
  readonly home: string;
  /** The revision that the edge has; undefined where the answer has all objects there are. */
  readonly after?: number;
  readonly revision: number;
  /** How long the home has not heard of its own home, in milliseconds; 0 where it has the database. */
  readonly ageMs: number;
  /** Absent where the edge has it. */
  readonly surroundings?: SharedState;
}

/** The last line: how many objects came, so that an answer that was cut off is noticed, and which are gone. */
export interface ChangesEnd {
  readonly objects: number;
  readonly gone: readonly { readonly entity: string; readonly id: number }[];
}

/** What edges ask of their home: an installation's database, or another edge. */
export interface EdgeHome {
  id(): Promise<string>;
  readonly feed: Pick<ConfigurationFeed, 'revision' | 'objects' | 'changes' | 'onChange'>;
  /** The revision after which `feed.changes` is whole. */
  changesFrom(): number;
  /** The text of a list as a revision has written it. */
  text(entity: string, id: number, revision: number): AsyncIterable<string | Buffer>;
  sharedState(): Promise<SharedState>;
  ageMs(): number;
  user(id: number): Promise<TestUser | undefined>;
  /** Takes a shipment (`shipment.ts`), each record once; answers up to which place of its source all is taken. */
  take(shipment: Buffer): Promise<number>;
}
