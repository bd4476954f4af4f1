import { entityOf } from '../../src/entities/registry.ts';
import { openStore } from '../../src/store/open-store.ts';

/**
 * A process of its own: opens the store at a path (which migrates it), says `open`, waits for a line on stdin, and
 * adds so many tags of a name, one write each; prints their IDs as JSON. Half of the jobs it starts fail on purpose.
 */
const [path = '', teamId = '1', name = '', count = '0'] = process.argv.slice(2);
const tag = entityOf('Tag');
const actor = { teamId: Number(teamId), userId: 0 };

const store = await openStore({ url: `sqlite:${path}`, now: Date.now });
console.log('open');
for await (const _ of process.stdin) break;

const ids: number[] = [];
for (let index = 0; index < Number(count); index += 1) {
  const writing = { document: { Name: `${name} ${index}` }, connections: {} };
  const failing = store.write(actor, async (transaction) => {
    await transaction.insert(tag, writing);
    throw new Error('on purpose');
  });
  const [added] = await Promise.allSettled([
    store.write(actor, (transaction) => transaction.insert(tag, writing)),
    failing,
  ]);
  if (added.status === 'rejected') throw added.reason;
  ids.push(added.value);
}
await store.close();
console.log(JSON.stringify(ids));
process.exit(0);
