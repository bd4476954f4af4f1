import { createHash } from 'node:crypto';
import type { TeamSettings } from '../../entities/team-settings.ts';
import type { ConfigurationFeed } from '../../exchange/configuration.ts';
import type { EdgeKey, User } from '../../store/identity/interface.ts';

/** Edges and homes of other versions refuse each other. */
export const edgeProtocol = 2;

/** What edges need besides objects, of all teams. */
export interface SharedState {
  /** With their secrets in base64. */
  readonly trackerKeys: readonly { readonly id: number; readonly secret: string; readonly fromMs: number }[];
  readonly teamSettings: readonly (readonly [teamId: number, settings: Partial<TeamSettings>])[];
  /** Prefixes of demonstrations' mock DSPs, which may be at private addresses. */
  readonly demonstrations: readonly string[];
  /** By which further edges may follow an edge. */
  readonly edgeKeys: readonly Pick<EdgeKey, 'id' | 'hash'>[];
}

const hashCharacters = 16;

/** Tells the home which state an edge has. */
export function sharedStateHash(sharedState: SharedState): string {
  return createHash('sha256').update(JSON.stringify(sharedState)).digest('hex').slice(0, hashCharacters);
}

export type TestUser = Pick<User, 'teamId' | 'status' | 'role'>;

/** The first line of a change answer; then one object a line, then a `ChangesEnd`. */
export interface ChangesBegin {
  readonly protocol: number;
  readonly home: string;
  /** The edge's revision; undefined if the answer has all objects. */
  readonly after?: number;
  readonly revision: number;
  /** How long the home has not heard of its own home; 0 = it has the database. */
  readonly ageMs: number;
  /** Absent if the edge has it. */
  readonly surroundings?: SharedState;
}

/** The last line: how many objects came, to notice an incomplete answer, and which are gone. */
export interface ChangesEnd {
  readonly objects: number;
  readonly gone: readonly { readonly entity: string; readonly id: number }[];
}

/** An installation's database, or another edge. */
export interface EdgeHome {
  id(): Promise<string>;
  readonly feed: Pick<ConfigurationFeed, 'revision' | 'objects' | 'changes' | 'onChange'>;
  /** The revision after which `feed.changes` is complete. */
  changesFrom(): number;
  /** As a revision wrote it. */
  text(entity: string, id: number, revision: number): AsyncIterable<string | Buffer>;
  sharedState(): Promise<SharedState>;
  ageMs(): number;
  user(id: number): Promise<TestUser | undefined>;
  /** Each record of a shipment (`shipment.ts`) once; returns up to which place of its source all is taken. */
  take(shipment: Buffer): Promise<number>;
}
