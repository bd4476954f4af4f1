import type { Database } from './database.ts';
import type { Demonstration, Store } from './interface.ts';
import type { WriteQueue } from './write-queue.ts';

/** `Store.demonstrations` and `Store.setDemonstration` on a database. */
export function createDemonstrations(
  { reader }: Pick<Database, 'reader'>,
  queue: WriteQueue,
): Pick<Store, 'demonstrations' | 'setDemonstration'> {
  return {
    async demonstrations() {
      const rows = await reader.selectFrom('demo').selectAll().orderBy('team_id').execute();
      return rows.map(({ team_id: teamId, doc }) => {
        const shown = JSON.parse(doc) as Omit<Demonstration, 'teamId'>;
        return { teamId, ...shown };
      });
    },
    setDemonstration: ({ teamId, ...shown }) =>
      queue.write(async ({ connection, touch }) => {
        touch();
        const doc = JSON.stringify(shown);
        await connection
          .insertInto('demo')
          .values({ team_id: teamId, doc })
          .onConflict((conflict) => conflict.column('team_id').doUpdateSet({ doc }))
          .execute();
      }),
  };
}
