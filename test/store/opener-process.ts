import { createInterface } from 'node:readline';
import { openStore } from '../../src/store/open-store.ts';

/** A process of its own: for each line `<milliseconds since 1970> <path>` opens the store at that path at that time. */
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [, atMs = '', path = ''] = /^(\d+) (.*)$/.exec(line) ?? [];
  while (Date.now() < Number(atMs));
  const store = await openStore({ url: `sqlite:${path}`, now: Date.now });
  console.log((await store.identity.isEmpty()) ? 'open' : 'not empty');
  await store.close();
}
