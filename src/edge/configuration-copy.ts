import type { DatabaseSync } from 'node:sqlite';
import { settingsFiller } from '../entities/filled-settings.ts';
import { entityOf } from '../entities/registry.ts';
import type {
  ConfigurationChange,
  ConfigurationFeed,
  ConfigurationObject,
} from '../exchange/configuration.ts';
import { Refusal } from '../fields/fault.ts';
import type { SharedState } from '../management/edge/edge-home.ts';

/** What an edge knows of its home, besides objects, texts and shared state. */
export interface HomeState {
  readonly home: string;
  readonly revision: number;
  /** Of earlier changes nothing is known. */
  readonly firstRevision: number;
  /** Milliseconds since 1970. */
  readonly asOfMs: number;
  /** The program version that received it, which may have dropped what it did not know. */
  readonly program: string;
}

export interface ConfigurationCopy {
  /** Undefined if nothing has come yet. */
  known(): HomeState | undefined;
  /** Throws if nothing has come yet. */
  sharedState(): SharedState;
  readonly feed: Omit<ConfigurationFeed, 'onChange'>;
  /** As a revision wrote it. Refuses with `changed_meanwhile` if it is gone. */
  text(entity: string, id: number, revision: number): AsyncIterable<string>;
  close(): void;
}

const objectsPerPage = 500;

type Row = Readonly<Record<string, unknown>>;

function objectReader() {
  const fillers = new Map<string, ReturnType<typeof settingsFiller>>();
  return ({ json }: Row): ConfigurationObject => {
    const object = JSON.parse(json as string) as ConfigurationObject;
    const fill = fillers.get(object.entity) ?? settingsFiller(entityOf(object.entity));
    fillers.set(object.entity, fill);
    // An older home does not know the newest settings.
    return { ...object, ownerId: object.ownerId, settings: fill(object.settings) } as ConfigurationObject;
  };
}

function createFeed(
  database: DatabaseSync,
  known: ConfigurationCopy['known'],
  text: ConfigurationCopy['text'],
) {
  const objectOf = objectReader();
  const after = database.prepare(
    'select json, id from object where entity = ? and id > ? and json is not null order by id limit ?',
  );
  const among = database.prepare(
    `select json, id from object where entity = ? and json is not null
     and id in (select value from json_each(?)) order by id`,
  );
  // A revision's changes belong together, so a page ends with one.
  const changed = database.prepare(
    `select entity, id, revision from object where revision > ?1 and revision <= coalesce(
       (select revision from object where revision > ?1 order by revision limit 1 offset ?2), ?3)
     order by revision, entity, id`,
  );
  const one = (entity: string, id: number) => {
    const [row] = among.all(entityOf(entity).key, JSON.stringify([id]));
    return row && objectOf(row);
  };
  async function* all(entity: string): AsyncGenerator<readonly ConfigurationObject[]> {
    for (let afterId = 0; ; ) {
      const rows = after.all(entity, afterId, objectsPerPage);
      if (rows.length > 0) yield rows.map(objectOf);
      if (rows.length < objectsPerPage) return;
      afterId = Number(rows.at(-1)?.id);
    }
  }
  async function* some(
    entity: string,
    ids: readonly number[],
  ): AsyncGenerator<readonly ConfigurationObject[]> {
    const sorted = [...new Set(ids)].sort((a, b) => a - b);
    for (let from = 0; from < sorted.length; from += objectsPerPage) {
      const rows = among.all(entity, JSON.stringify(sorted.slice(from, from + objectsPerPage)));
      if (rows.length > 0) yield rows.map(objectOf);
    }
  }
  const feed: ConfigurationCopy['feed'] = {
    revision: async () => known()?.revision ?? 0,
    objects: (entity, ids) =>
      ids === undefined ? all(entityOf(entity).key) : some(entityOf(entity).key, ids),
    object: async (entity, id) => one(entity, id),
    changes: async (afterRevision, limit) =>
      changed.all(afterRevision, limit - 1, Number.MAX_SAFE_INTEGER) as unknown as ConfigurationChange[],
    async *text(entity, id) {
      const { textRevision = 0 } = one(entity, id) ?? {};
      if (textRevision > 0) yield* text(entity, id, textRevision);
    },
  };
  return feed;
}

/** The database stays open until `close`. */
export function readConfigurationCopy(database: DatabaseSync): ConfigurationCopy {
  const named = database.prepare('select value from known where name = ?');
  const keptAs = (name: string) => {
    const row = named.get(name);
    return row && JSON.parse(row.value as string);
  };
  const parts = database.prepare('select parts from text where entity = ? and id = ? and revision = ?');
  const part = database.prepare(
    'select text from text_part where entity = ? and id = ? and revision = ? and part = ?',
  );
  const gone = () =>
    new Refusal('changed_meanwhile', 'The text of this revision is not here; fetch the changes first');
  async function* text(entity: string, id: number, revision: number): AsyncGenerator<string> {
    const whole = parts.get(entity, id, revision);
    if (!whole) throw gone();
    for (let index = 0; index < Number(whole.parts); index += 1) {
      const row = part.get(entity, id, revision, index);
      // A newer text may replace it meanwhile.
      if (!row) throw gone();
      yield row.text as string;
    }
  }
  const known = (): HomeState | undefined => keptAs('state');
  return {
    known,
    sharedState() {
      const surroundings: SharedState | undefined = keptAs('surroundings');
      // An older program's copy has no settings of teams.
      if (surroundings) return { ...surroundings, teamSettings: surroundings.teamSettings ?? [] };
      throw new Refusal('unavailable', 'This edge has never heard from its home');
    },
    feed: createFeed(database, known, text),
    text,
    close: () => database.close(),
  };
}
