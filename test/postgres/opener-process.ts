import { createInterface } from 'node:readline';
import { openStore } from '../../src/store/open-store.ts';

/** A process of its own: for each line `<milliseconds since 1970> <URL>` opens the store at that URL at that time. */
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [, atMs = '', url = ''] = /^(\d+) (.*)$/.exec(line) ?? [];
  while (Date.now() < Number(atMs));
  const store = await openStore({ url, now: Date.now });
  console.log((await store.identity.isEmpty()) ? 'open' : 'not empty');
  await store.close();
}
