import type { Command } from 'commander';
import { actorFor } from '../config/config-team.ts';
import { configuration } from '../configuration.ts';
import { mailOrFirst } from '../people/first-user.ts';
import { tellAdministrator } from '../people/tell-administrator.ts';
import { readServerUrl, serverUrl } from '../server-url.ts';
import type { DemoRow } from './demo-row.ts';

/** `3 Publisher, 2 Advertiser`: how many rows there are of each entity. */
function summary(rows: readonly DemoRow[]): string {
  const byTitle = Map.groupBy(rows, ({ entity }) => entity.title);
  return [...byTitle].map(([title, { length }]) => `${length} ${title}${length === 1 ? '' : 's'}`).join(', ');
}

interface Options {
  readonly mail?: string;
  readonly url?: string;
}

async function run({ mail, url }: Options): Promise<void> {
  const config = configuration();
  const [{ assemble }, { createLogger }, { demoExchange }, { fillDemo }] = await Promise.all([
    import('../../main.ts'),
    import('../log.ts'),
    import('./demo-exchange.ts'),
    import('./demo-fill.ts'),
  ]);
  const baseUrl = url ?? readServerUrl(serverUrl(config));
  const exchange = await assemble(config, {
    logger: createLogger('silent'),
    baseUrl: () => baseUrl,
  });
  try {
    const administrator = await exchange.ensureAdministrator();
    if (administrator) tellAdministrator(administrator);
    const { store } = exchange;
    const owner = await mailOrFirst(store, mail);
    const actor = await actorFor(store, { mail: owner });
    await fillDemo(store, actor, demoExchange, { baseUrl, regions: exchange.regions() });
    console.log(`Added ${summary(demoExchange)} for ${owner}`);
    console.log(`While the server runs, watch an ad at ${baseUrl}/demo/player`);
    console.log('Send it a day of traffic, in a minute: bourse simulate');
  } finally {
    await exchange.close();
  }
}

/** `bourse demo`: a believable exchange for a team that has no objects, all of it or nothing. */
export function demo(program: Command): void {
  program
    .command('demo')
    .description('give a team that has no objects a small exchange, all connected')
    .option('--mail <mail>', 'user who adds the objects (default: the first user)')
    .option('--url <url>', 'where the server is reached (default: as its settings say)', readServerUrl)
    .action(run);
}
