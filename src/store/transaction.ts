import type { Entity } from '../entities/entity.ts';
import { limitedKindNames } from '../entities/kinds.ts';
import { listTextOf } from '../entities/list-text-of.ts';
import { ownMember } from '../reference/own-member.ts';
import { formerZonesAfter, formerZonesIn, formerZonesMember } from '../shared/limit-days.ts';
import type { Database } from './database/database.ts';
import { tableOf } from './database/tables.ts';
import { writeDemonstration } from './demonstrations.ts';
import { identityWrites } from './identity/identity-store.ts';
import type { ObjectWrite, Rotation, StoredObject, TeamReads, Transaction, Values } from './interface.ts';
import { type LogContext, logText, recordChanges } from './log/change-log.ts';
import { connect } from './objects/connections.ts';
import { createDeferredRevisions, type DeferredRevisions } from './objects/deferred-revisions.ts';
import { edgesOf } from './objects/edges.ts';
import type { ObjectInserter } from './objects/insertion.ts';
import { writeLines } from './objects/list-lines.ts';
import { writeText } from './objects/list-texts.ts';
import type { ObjectReader } from './objects/object-query.ts';
import { teamReads } from './objects/team-reads.ts';
import { uniqueValue } from './objects/unique-value.ts';
import type { AnswerMemory } from './remembered-answers.ts';
import { addSendings } from './sending/sending-store.ts';

interface TransactionOptions extends LogContext {
  readonly database: Database;
  readonly touch: () => void;
  readonly handOver: () => void;
  readonly read: ObjectReader;
  readonly insert: ObjectInserter;
  readonly answers: AnswerMemory;
}

interface Context extends TransactionOptions {
  readonly reads: TeamReads;
  readonly revisions: DeferredRevisions;
}

/** Repeat a value of the document. */
function searchColumns(entity: Entity, document: Values, teamId: number) {
  const owner = entity.owner ? ownMember(document, entity.owner.field) : undefined;
  return {
    name: String(document.Name ?? ''),
    owner_id: typeof owner === 'number' ? owner : null,
    username: uniqueValue(entity, document, teamId),
    stats_auth: typeof document.StatsAuth === 'string' ? document.StatsAuth : null,
  };
}

/** As they were and as they become. */
function difference(current: StoredObject, write: ObjectWrite): { before: Values; after: Values } {
  const next: Values = {
    ...write.document,
    ...write.connections,
    ...(write.managerId === undefined ? {} : { AccManagerId: write.managerId }),
  };
  const old: Values = { ...current.document, ...current.derived, AccManagerId: current.account.managerId };
  const changed = Object.keys(next).filter(
    (name) => JSON.stringify(ownMember(next, name)) !== JSON.stringify(ownMember(old, name)),
  );
  const pick = (values: Values) => Object.fromEntries(changed.map((name) => [name, ownMember(values, name)]));
  return { before: pick(old), after: pick(next) };
}

/** In the log a rewritten text is just true. */
function textMark(entity: Entity, { text }: ObjectWrite): Values {
  const field = listTextOf(entity);
  return text === undefined || field === undefined ? {} : { [field.name]: true };
}

interface WrittenObject {
  readonly id: number;
  readonly revision: number;
  readonly isNew: boolean;
}

async function writeParts(context: Context, entity: Entity, written: WrittenObject, write: ObjectWrite) {
  const { id, revision } = written;
  for (const edge of edgesOf(entity)) {
    const ids = ownMember(write.connections, edge.field);
    if (ids) await connect(context, { edge, ids, ...written });
  }
  if (!write.text) return;
  await writeText(context.connection, { entity: entity.key, id, revision }, write.text);
  await writeLines(context.connection, entity, id, write.text);
}

function onlyConnected(connections: ObjectWrite['connections']): ObjectWrite['connections'] {
  return Object.fromEntries(Object.entries(connections).filter(([, ids]) => ids.length > 0));
}

/**
 * With connections and text. Undefined, with nothing written, if a unique value is taken. `sent`: called once the row's
 * statement is sent, if the job may hand over.
 */
async function insert(
  context: Context,
  entity: Entity,
  write: ObjectWrite,
  sent?: () => void,
): Promise<StoredObject | undefined> {
  const { connection, actor, now, log } = context;
  const { document, managerId } = write;
  const connections = onlyConnected(write.connections);
  const manager = managerId === undefined ? {} : { AccManagerId: managerId };
  const after = { ...document, ...manager, ...connections, ...textMark(entity, write) };
  const row = {
    team_id: actor.teamId,
    manager_id: managerId ?? null,
    doc: JSON.stringify(document),
    ...searchColumns(entity, document, context.actor.teamId),
  };
  const inserting = context.insert(entity, connection, row, {
    timeMs: now(),
    userId: actor.userId,
    after: logText(entity, after),
    batchId: actor.batchId,
  });
  log.forget();
  sent?.();
  const object = await inserting;
  if (!object) return undefined;
  context.touch();
  // A job that was handed over to may have taken further revisions already.
  if (!sent) log.took(object.revision);
  await writeParts(context, entity, { ...object, isNew: true }, { ...write, connections });
  return object;
}

/** The end of a job; returns the object like `find`. */
async function add(context: Context, entity: Entity, write: ObjectWrite): Promise<StoredObject | undefined> {
  const { database, reads, revisions, handOver } = context;
  const isWhole =
    write.text === undefined && Object.values(write.connections).every((ids) => ids.length === 0);
  const isLast = isWhole && revisions.isEmpty();
  const object = await insert(context, entity, write, isLast && database.isPipelined ? handOver : undefined);
  return object && !isWhole ? reads.find(entity, object.id) : object;
}

async function insertedId(context: Context, entity: Entity, write: ObjectWrite): Promise<number> {
  const object = await insert(context, entity, write);
  if (object) return object.id;
  throw new Error(`a unique value of the new ${entity.key} is taken`);
}

const haveDays: ReadonlySet<string> = new Set(limitedKindNames);

/** Of a change of `TimeZone`: daily limits must know what their day was. */
function formerZones({ key }: Entity, before: Values, { TimeZone: next }: Values, timeMs: number): Values {
  const zone = String(before.TimeZone ?? '');
  if (next === undefined || String(next) === zone || !haveDays.has(key)) return {};
  const formers = formerZonesIn(before);
  return { [formerZonesMember]: formerZonesAfter({ zone, formers }, String(next), timeMs) };
}

async function update(
  context: Context,
  entity: Entity,
  current: StoredObject,
  write: ObjectWrite,
): Promise<void> {
  const { connection, touch, log, now } = context;
  const { before, after: values } = difference(current, write);
  const after = { ...values, ...textMark(entity, write) };
  if (Object.keys(after).length === 0) return;
  touch();
  const revision = await log.take(1);
  const changed = { ...current.document, ...write.document };
  const document = { ...changed, ...formerZones(entity, current.document, write.document, now()) };
  await connection
    .updateTable(tableOf(entity.key))
    .set({
      revision,
      doc: JSON.stringify(document),
      ...searchColumns(entity, document, context.actor.teamId),
      ...(write.managerId === undefined ? {} : { manager_id: write.managerId }),
    })
    .where('id', '=', current.id)
    .execute();
  await recordChanges(context, [{ revision, entity, id: current.id, operation: 'update', before, after }]);
  await writeParts(context, entity, { id: current.id, revision, isNew: false }, write);
}

async function setStatus(
  context: Context,
  entity: Entity,
  current: StoredObject,
  status: 0 | 1,
): Promise<void> {
  if (current.status === status) return;
  context.touch();
  const revision = await context.log.take(1);
  await context.connection
    .updateTable(tableOf(entity.key))
    .set({ status, revision })
    .where('id', '=', current.id)
    .execute();
  const operation = status === 0 ? 'activate' : 'deactivate';
  const before = { Status: current.status };
  await recordChanges(context, [
    { revision, entity, id: current.id, operation, before, after: { Status: status } },
  ]);
}

async function rotate(
  context: Context,
  entity: Entity,
  current: StoredObject,
  { field, values }: Rotation,
): Promise<void> {
  context.touch();
  const revision = await context.log.take(1);
  const document = { ...current.document, ...values };
  await context.connection
    .updateTable(tableOf(entity.key))
    .set({
      revision,
      doc: JSON.stringify(document),
      ...searchColumns(entity, document, context.actor.teamId),
    })
    .where('id', '=', current.id)
    .execute();
  const after = { [field]: true };
  await recordChanges(context, [
    { revision, entity, id: current.id, operation: 'rotate', before: {}, after },
  ]);
}

/** On one connection, for one actor. */
function operationsOf(context: Context): Transaction {
  const { connection, actor, now, reads, touch } = context;
  return {
    ...reads,
    insert: (entity, write) => insertedId(context, entity, write),
    add: (entity, write) => add(context, entity, write),
    update: (entity, current, write) => update(context, entity, current, write),
    setStatus: (entity, current, status) => setStatus(context, entity, current, status),
    rotate: (entity, current, rotation) => rotate(context, entity, current, rotation),
    setDemonstration: (demonstration) => {
      touch();
      return writeDemonstration(connection, demonstration);
    },
    addSendings: (sendings) => {
      touch();
      return addSendings(connection, sendings);
    },
    ...context.answers(context),
    identity: identityWrites({ write: (job) => job(context) }, { userId: actor.userId, now }),
  };
}

export async function runJob<T>(
  options: TransactionOptions,
  job: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const { database, connection, actor, read } = options;
  let time: number | undefined;
  // All changes of a transaction have the same time, so that no moment of the history falls between them.
  const now = () => {
    time ??= options.now();
    return time;
  };
  const reads = teamReads({ database, connection, read, teamId: actor.teamId });
  const revisions = createDeferredRevisions(database, connection);
  const result = await job(operationsOf({ ...options, now, reads, revisions }));
  await revisions.write();
  return result;
}
