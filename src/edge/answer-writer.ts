import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { ChangesBegin, ChangesEnd } from '../management/edge/edge-home.ts';
import type { HomeState } from './configuration-copy.ts';

export interface ReceivedObject {
  readonly entity: string;
  readonly id: number;
  /** 0 = none. */
  readonly textRevision: number;
  readonly json: string;
}

export interface TextName {
  readonly entity: string;
  readonly id: number;
  readonly revision: number;
}

/** Writes a home's answer, whole or not at all. Used by the first thread only. */
export interface AnswerWriter {
  /** Forgets an earlier answer that stayed incomplete. */
  begin(): void;
  note(objects: readonly ReceivedObject[]): void;
  missingTexts(): readonly TextName[];
  /** Chunks end at a line's end. The text is there once all have come. */
  keepText(name: TextName, parts: AsyncIterable<string>): Promise<void>;
  /** Applies the whole answer at once. */
  commit(answer: { readonly begin: ChangesBegin; readonly end: ChangesEnd; readonly known: HomeState }): void;
}

function transaction(database: DatabaseSync, step: () => void): void {
  database.exec('begin immediate');
  try {
    step();
    database.exec('commit');
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/** In their order. `?1` is the revision. */
const merging = {
  gone: `update object set json = null, text_revision = 0, revision = ?1 where json is not null and not exists
    (select 1 from incoming i where i.entity = object.entity and i.id = object.id)`,
  came: `insert into object (entity, id, revision, text_revision, json)
    select entity, id, ?1, text_revision, json from incoming where true
    on conflict do update set json = excluded.json, text_revision = excluded.text_revision,
    revision = excluded.revision where object.json is not excluded.json`,
  oldTexts: `delete from text where not exists (select 1 from object o where o.entity = text.entity
    and o.id = text.id and o.text_revision = text.revision)`,
  oldParts: `delete from text_part where not exists (select 1 from text t where t.entity = text_part.entity
    and t.id = text_part.id and t.revision = text_part.revision)`,
};

function createMerge(database: DatabaseSync) {
  const goneAll = database.prepare(merging.gone);
  const came = database.prepare(merging.came);
  const goneOne = database.prepare(
    `update object set json = null, text_revision = 0, revision = ?1
     where entity = ?2 and id = ?3 and json is not null`,
  );
  const oldTexts = database.prepare(merging.oldTexts);
  const oldParts = database.prepare(merging.oldParts);
  return ({ after, revision }: ChangesBegin, { objects, gone }: ChangesEnd) => {
    if (after === undefined) goneAll.run(revision);
    came.run(revision);
    for (const { entity, id } of gone) goneOne.run(revision, entity, id);
    if (objects + gone.length === 0) return;
    if (oldTexts.run().changes !== 0) oldParts.run();
  };
}

export function createAnswerWriter(database: DatabaseSync): AnswerWriter {
  const note = database.prepare('insert or replace into incoming values (?, ?, ?, ?)');
  const missing = database.prepare(
    `select i.entity, i.id, i.text_revision as revision from incoming i where i.text_revision > 0 and not exists
     (select 1 from text t where t.entity = i.entity and t.id = i.id and t.revision = i.text_revision)`,
  );
  const dropParts = database.prepare('delete from text_part where entity = ? and id = ? and revision = ?');
  const addPart = database.prepare('insert into text_part values (?, ?, ?, ?, ?)');
  const addText = database.prepare('insert into text values (?, ?, ?, ?)');
  const setKnown = database.prepare('insert or replace into known values (?, ?)');
  const merge = createMerge(database);
  return {
    begin: () => database.exec('delete from incoming'),
    note: (objects) =>
      transaction(database, () => {
        for (const { entity, id, textRevision, json } of objects) note.run(entity, id, textRevision, json);
      }),
    missingTexts: () => missing.all() as unknown as TextName[],
    async keepText({ entity, id, revision }, texts) {
      dropParts.run(entity, id, revision);
      let parts = 0;
      for await (const text of texts) {
        addPart.run(entity, id, revision, parts, text);
        parts += 1;
        await turn();
      }
      addText.run(entity, id, revision, parts);
    },
    commit: ({ begin, end, known }) =>
      transaction(database, () => {
        merge(begin, end);
        database.exec('delete from incoming');
        setKnown.run('state', JSON.stringify(known));
        if (begin.surroundings) setKnown.run('surroundings', JSON.stringify(begin.surroundings));
      }),
  };
}
