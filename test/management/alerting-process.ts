import { createInterface } from 'node:readline';
import { pino } from 'pino';
import { createAlerting } from '../../src/serving/alerting.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import { openStore } from '../../src/store/open-store.ts';

/**
 * A process of its own that judges the alerts of a database whenever stdin tells it the time, in milliseconds since 1970,
 * and then says so.
 */
let nowMs = 0;
const now = () => nowMs;
const store = await openStore({ url: process.argv[2] ?? '', now });
const exchange = { health: async () => [] };
const logger = pino({ level: 'silent' });
const alerting = createAlerting({ store, exchange, now, logger, keptDays: standardKeptDays, keepDays: 93 });
console.log('open');
for await (const line of createInterface({ input: process.stdin })) {
  nowMs = Number(line);
  await alerting.run();
  console.log('judged');
}
