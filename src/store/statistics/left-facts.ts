import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { OwnershipOf } from './count-rows.ts';
import type { Fact, LeftFacts, ObjectKey } from './interface.ts';
import { ownershipsOf } from './ownerships.ts';

function objectIn(fact: Fact, side: 'supply' | 'demand'): ObjectKey | undefined {
  const { [`${side}_kind`]: kind = '', [`${side}_id`]: id = 0 } = fact;
  return kind === '' ? undefined : { kind: String(kind), id: Number(id) };
}

function owned(fact: Fact, ownershipOf: OwnershipOf): Fact {
  const supply = objectIn(fact, 'supply');
  const demand = objectIn(fact, 'demand');
  const object = supply ?? demand;
  return {
    ...fact,
    team_id: (object && ownershipOf(object)?.teamId) ?? 0,
    publisher_id: (supply && ownershipOf(supply)?.account?.id) ?? 0,
    advertiser_id: (demand && ownershipOf(demand)?.account?.id) ?? 0,
  };
}

/** Team and owners as the connection sees them. */
export async function withOwners(
  database: Pick<Database, 'idsIn'>,
  connection: Kysely<Schema>,
  facts: readonly Fact[],
): Promise<Fact[]> {
  const objects = new Map<string, ObjectKey>();
  for (const fact of facts) {
    for (const side of ['supply', 'demand'] as const) {
      const object = objectIn(fact, side);
      if (object) objects.set(`${object.kind}:${object.id}`, object);
    }
  }
  const ownershipOf = await ownershipsOf(database, connection, [...objects.values()]);
  return facts.map((fact) => owned(fact, ownershipOf));
}

export async function leaveFacts(
  database: Pick<Database, 'idsIn'>,
  connection: Kysely<Schema>,
  lot: { readonly id: string; readonly name: string | undefined },
  facts: readonly Fact[],
): Promise<void> {
  const { id, name } = lot;
  if (name === undefined || facts.length === 0) return;
  const text = JSON.stringify(await withOwners(database, connection, facts));
  await connection.insertInto('left_fact').values({ id, name, facts: text }).execute();
}

/** See `StatisticsStore.leftFacts`. */
export async function leftFacts(reader: Kysely<Schema>, name: string, lotsMax: number): Promise<LeftFacts[]> {
  const rows = await reader
    .selectFrom('left_fact')
    .select(['id', 'facts'])
    .where('name', '=', name)
    .orderBy('position')
    .limit(lotsMax)
    .execute();
  return rows.map(({ id, facts }) => ({ id, facts: JSON.parse(facts) }));
}

export async function dropLeftFacts(connection: Kysely<Schema>, ids: readonly string[]): Promise<void> {
  await connection.deleteFrom('left_fact').where('id', 'in', ids).execute();
}
