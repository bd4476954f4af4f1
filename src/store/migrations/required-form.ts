import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { RequiredFormTable } from '../database/required-form-table.ts';
import type { Schema } from '../database/schema.ts';

/** One step of the database's form. Once it is released, it is never changed. */
export interface Step {
  readonly up: (database: Database, db: Kysely<unknown>) => Promise<void>;
  /**
   * For a step that changes or removes what an earlier version uses: the migration that a program must have to keep
   * serving, and the first version that has it. That is the step itself, or the earlier one since which no version uses
   * what this one removes. Absent for a step that only adds tables, or columns that may be left out.
   */
  readonly requires?: Readonly<RequiredFormTable>;
}

/** Keeps in the database what a program must know; what newer versions have put there stays. */
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

/** What a database requires that a program lacks; of several, the last. */
export async function lackedForm(
  connection: Kysely<Schema>,
  isKnown: (migration: string) => boolean,
): Promise<Readonly<RequiredFormTable> | undefined> {
  const forms = await connection.selectFrom('required_form').selectAll().orderBy('migration').execute();
  return forms.filter(({ migration }) => !isKnown(migration)).at(-1);
}
