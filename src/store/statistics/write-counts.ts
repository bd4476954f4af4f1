import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { isDeal } from '../../entities/kinds.ts';
import { type Cube, type CubeName, cubes } from '../../reference/cubes.ts';
import { type CellType, cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { snakeCase } from '../database/tables.ts';
import { addAddresses } from './address-counts.ts';
import {
  type CountRow,
  dealRows,
  type OwnershipOf,
  pairRows,
  partnerRows,
  requestsIn,
  sideRows,
  teamRows,
  trafficRows,
} from './count-rows.ts';
import { admitNames } from './cube-names.ts';
import { type CubeTable, countersOf, cubeTables, uniqueColumns } from './cube-tables.ts';
import { noteIncompleteQuarters } from './incomplete-quarters.ts';
import type {
  AddedCounts,
  CommitNotice,
  ConsumedRange,
  CountBatch,
  EventClaim,
  PairCounts,
  TrafficCounts,
} from './interface.ts';
import { keepPromises } from './kept-promises.ts';
import { leaveFacts } from './left-facts.ts';
import { ownershipsOf } from './ownerships.ts';
import { keepNotices } from './pending-notices.ts';
import { moveOn, noteLateHours } from './shipped.ts';

type KeyColumns = Readonly<Record<string, CellType>>;
type Upsert = (connection: Kysely<Schema>, rows: readonly CountRow[]) => Promise<void>;

/** `unique`: key columns that tell rows apart. */
interface CountTable {
  readonly name: string;
  readonly keys: KeyColumns;
  readonly unique: readonly string[];
  readonly counts: readonly string[];
}

const countTable = (table: CubeTable): CountTable => ({
  name: table.name,
  keys: table.keys,
  unique: uniqueColumns(table),
  counts: countersOf(table).map(snakeCase),
});

/** One statement, whose text does not depend on the number of rows. */
function compileUpsert(database: Database, { name: table, keys, unique, counts }: CountTable): Upsert {
  const columns = [...Object.keys(keys), ...counts];
  const types = [...Object.values(keys), ...counts.map((): CellType => 'bigint')];
  const cells = types.map((type, index) => cell(index, type));
  const sums = counts.map(
    (column) => sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
  );
  const { sql: text } =
    sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(cells)} from ${database.rowsIn('')} where true
    on conflict (${sql.join(unique.map((name) => sql.ref(name)))}) do update set ${sql.join(sums)}`.compile(
      database.reader,
    );
  return async (connection, rows) => {
    if (rows.length > 0) await connection.executeQuery(CompiledQuery.raw(text, [JSON.stringify(rows)]));
  };
}

/** Without those that were added before. */
async function beginLots(
  connection: Kysely<Schema>,
  batches: readonly CountBatch[],
): Promise<readonly CountBatch[]> {
  const rows = batches.map(({ id, timeMs, pairs }) => {
    const requests = JSON.stringify(requestsIn(pairs));
    return { id, time: timeMs, requests };
  });
  const begun = await connection
    .insertInto('statistic_flush')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();
  const ids = new Set(begun.map(({ id }) => id));
  return batches.filter(({ id }) => ids.has(id));
}

type ClaimRow = readonly [auctionId: string, name: string, expiresMs: number];

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const claimKey = (auctionId: string, name: string) => `${auctionId} ${name}`;

/** Those of them that nobody had before. */
async function insertClaims(database: Database, connection: Kysely<Schema>, rows: readonly ClaimRow[]) {
  const { rows: inserted } = await sql<{ auction_id: string; event: string }>`
    insert into billed_event (auction_id, event, expires, batch)
    select ${cell(0, 'text')}, ${cell(1, 'text')}, ${cell(2, 'bigint')}, ''
    from ${database.rowsIn(JSON.stringify(rows))} where true
    on conflict (auction_id, event) do nothing returning auction_id, event`.execute(connection);
  return inserted;
}

/** Those that get all they claim, one after the other; the others leave their names to those that follow. */
async function claimEvents(
  database: Database,
  connection: Kysely<Schema>,
  events: readonly EventClaim[],
): Promise<ReadonlySet<EventClaim>> {
  const rows = events.flatMap(({ auctionId, names, expiresMs }) =>
    names.map((name): ClaimRow => [auctionId, name, expiresMs]),
  );
  if (rows.length === 0) return new Set();
  // All batches lock their rows in the same order.
  rows.sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]));
  const inserted = await insertClaims(database, connection, rows);
  if (inserted.length === rows.length) return new Set(events);
  const free = new Map(
    inserted.map(({ auction_id, event }) => [claimKey(auction_id, event), [auction_id, event]]),
  );
  const counted = events.filter(({ auctionId, names }) => {
    const keys = names.map((name) => claimKey(auctionId, name));
    const hasAll = keys.every((key) => free.has(key));
    if (hasAll) for (const key of keys) free.delete(key);
    return hasAll;
  });
  if (free.size > 0)
    await sql`delete from billed_event where (auction_id, event) in (select ${cell(0, 'text')}, ${cell(1, 'text')}
      from ${database.rowsIn(JSON.stringify([...free.values()]))})`.execute(connection);
  return new Set(counted);
}

const rowsOf: Readonly<Partial<Record<CubeName, typeof pairRows>>> = {
  team: teamRows,
  pair: pairRows,
  supply: sideRows('supply'),
  demand: sideRows('demand'),
  dealUse: dealRows,
  partner: (_, pairs, ownershipOf) => partnerRows(pairs, ownershipOf),
};

/** Of all cubes. Values have the names that they keep. */
function cubesWriter(database: Database) {
  const upsertCube = cubeTables.map((table) => [table, compileUpsert(database, countTable(table))] as const);
  return (
    named: readonly TrafficCounts[],
    pairs: readonly PairCounts[],
    ownershipOf: OwnershipOf,
  ): Addition[] => {
    const byCube = Map.groupBy(named, ({ cube }) => cube);
    const { true: ofDeals = [], false: ofDemand = [] } = Object.groupBy(pairs, ({ demand }) =>
      demand !== undefined && isDeal(demand.kind) ? 'true' : 'false',
    );
    return upsertCube.map(([table, add]) => {
      const { cube: name, grain } = table;
      const cube: Cube = cubes[name];
      const counted = byCube.get((cube.from ?? name) as CubeName) ?? [];
      const ofPairs = name === 'dealUse' ? ofDeals : ofDemand;
      const rows = rowsOf[name]?.(grain, ofPairs, ownershipOf) ?? trafficRows(table, counted, ownershipOf);
      return { rows, add };
    });
  };
}

interface Addition {
  readonly rows: readonly CountRow[];
  readonly add: Upsert;
}

async function addInTurn(connection: Kysely<Schema>, additions: readonly Addition[]): Promise<void> {
  for (const { rows, add } of additions) {
    await add(connection, rows);
    await nextTurn();
  }
}

function allOf(added: readonly AddedCounts[]): Required<AddedCounts> {
  return {
    pairs: added.flatMap(({ pairs }) => pairs),
    addresses: added.flatMap(({ addresses }) => addresses),
    traffic: added.flatMap(({ traffic = [] }) => traffic),
    kept: added.flatMap(({ kept = [] }) => kept),
    notices: added.flatMap(({ notices = [] }) => notices),
    facts: added.flatMap(({ facts = [] }) => facts),
  };
}

/**
 * In the caller's transaction. A SQLite statement takes the thread for a millisecond or more; between a batch's
 * statements requests are answered.
 */
export function countsWriter(database: Database, now: () => number) {
  const cubeRows = cubesWriter(database);
  const addCounts = async (connection: Kysely<Schema>, added: Required<AddedCounts>) => {
    const { pairs, traffic } = added;
    const objects = [...pairs, ...traffic].flatMap(({ supply, demand }) =>
      [supply, demand].filter((object) => object !== undefined),
    );
    const ownershipOf = await ownershipsOf(database, connection, objects);
    await noteLateHours(database, connection, pairs, { ownershipOf, timeMs: now() });
    await nextTurn();
    await noteIncompleteQuarters(connection, traffic);
    const named = await admitNames(database, connection, traffic);
    const wanted = cubeRows(named, pairs, ownershipOf).filter(({ rows }) => rows.length > 0);
    // Others wait for these rows until the commit; a server gets all statements at once, however far away it is.
    if (database.parallelTransaction) await Promise.all(wanted.map(({ rows, add }) => add(connection, rows)));
    else await addInTurn(connection, wanted);
  };
  return async (
    connection: Kysely<Schema>,
    batches: readonly CountBatch[],
    taken?: ConsumedRange,
  ): Promise<CommitNotice> => {
    if (taken) await moveOn(connection, taken, now());
    const begun = await beginLots(connection, batches);
    const events = begun.flatMap((batch) => batch.events ?? []);
    const counted = await claimEvents(
      database,
      connection,
      events.flatMap(({ claims }) => claims),
    );
    const added = allOf([...begun, ...events.map((of) => of.countsOf(counted))]);
    const { pairs, traffic } = added;
    const [{ id = '', leaveTo } = {}] = begun;
    const [notices] = await Promise.all([
      keepNotices(connection, id, added.notices, now()),
      keepPromises(database, connection, added.kept),
      leaveFacts(database, connection, { id, name: leaveTo }, added.facts),
    ]);
    // From here on, rows that others write to are locked until the commit.
    if (pairs.length + traffic.length > 0) await addCounts(connection, added);
    const addresses = await addAddresses(database, connection, added.addresses);
    return { pairs, addresses, notices };
  };
}
