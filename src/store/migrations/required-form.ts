import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { RequiredFormTable } from '../database/required-form-table.ts';
import type { Schema } from '../database/schema.ts';

/** Never changed once released. */
export interface Step {
  readonly up: (database: Database, db: Kysely<unknown>) => Promise<void>;
  /**
   * For a step that changes or removes something: the migration that a program must have to keep serving, and its first
   * version. It is this step, or the one since which nothing uses what is removed. Absent for pure additions.
   */
  readonly requires?: Readonly<RequiredFormTable>;
}

/** Stores what a program must know; newer versions' entries stay. */
export async function keepRequiredForms(connection: Kysely<Schema>, steps: readonly Step[]): Promise<void> {
  await sql`create table if not exists required_form (migration text primary key, version text not null)`.execute(
    connection,
  );
  const forms = steps.flatMap(({ requires }) => (requires ? [requires] : []));
  if (forms.length === 0) return;
  await connection
    .insertInto('required_form')
    .values(forms)
    .onConflict((conflict) => conflict.column('migration').doNothing())
    .execute();
}

/** If it lacks several, the last. */
export async function lackedForm(
  connection: Kysely<Schema>,
  isKnown: (migration: string) => boolean,
): Promise<Readonly<RequiredFormTable> | undefined> {
  const forms = await connection.selectFrom('required_form').selectAll().orderBy('migration').execute();
  return forms.filter(({ migration }) => !isKnown(migration)).at(-1);
}
