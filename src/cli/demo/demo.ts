import type { Command } from 'commander';
import { Refusal } from '../../fields/fault.ts';
import type { DemoRow } from '../../management/demonstration/demo-row.ts';
import type { Links } from '../../management/present.ts';
import type { Actor, Store, Transaction } from '../../store/interface.ts';
import { actorFor } from '../config/config-team.ts';
import { configuration } from '../configuration.ts';
import { mailOrFirstUser, printAdministrator } from '../people/with-identity.ts';
import { serverUrl, withServerOption } from '../server-url.ts';

function summary(rows: readonly DemoRow[]): string {
  const byTitle = Map.groupBy(rows, ({ entity }) => entity.title);
  return [...byTitle].map(([title, { length }]) => `${length} ${title}${length === 1 ? '' : 's'}`).join(', ');
}

interface Options {
  readonly mail?: string;
  readonly server?: string;
  readonly again?: true;
}

const otherTeam =
  'choose another team by a user of it with --mail, or another database with BOURSE_DATABASE_URL; to give a demonstration another address, run `bourse demo --again`';

function isNotEmpty(error: unknown): error is Refusal {
  return error instanceof Refusal && error.faults.some(({ Code }) => Code === 'wrong_state');
}

const tasks = {
  async fill(store: Store, actor: Actor, links: Links) {
    const [{ demoExchange }, { fillDemo }] = await Promise.all([
      import('../../management/demonstration/demo-exchange.ts'),
      import('../../management/demonstration/demo-fill.ts'),
    ]);
    const at = { links, nowMs: Date.now() };
    const fill = (transaction: Transaction) => fillDemo(transaction, actor, demoExchange, at);
    const tags = await store.write(actor, fill).catch((error) => {
      throw isNotEmpty(error) ? new Error(`${error.message}: ${otherTeam}`) : error;
    });
    return { tags, done: `Added ${summary(demoExchange)}` };
  },
  async move(store: Store, actor: Actor, links: Links) {
    const { moveDemo } = await import('./demo-move.ts');
    const { changed, tags } = await moveDemo(store, actor, links);
    return { tags, done: `The demonstration is now at ${links.baseUrl} (${changed} objects changed)` };
  },
};

async function run({ mail, server, again }: Options): Promise<void> {
  const config = configuration();
  const [{ assemble }, { createLogger }, { createDemoServerCheck }] = await Promise.all([
    import('../../main.ts'),
    import('../log.ts'),
    import('./demo-server.ts'),
  ]);
  const baseUrl = server ?? serverUrl(config);
  const exchange = await assemble(config, {
    logger: createLogger('silent'),
    baseUrl: () => baseUrl,
  });
  const watched = createDemoServerCheck(baseUrl);
  try {
    const administrator = await exchange.ensureAdministrator();
    if (administrator) printAdministrator(administrator);
    const { store } = exchange;
    const owner = await mailOrFirstUser(store, mail);
    const actor = await actorFor(store, { mail: owner });
    const task = again ? tasks.move : tasks.fill;
    const { tags, done } = await task(store, actor, { baseUrl, regions: exchange.regions() });
    console.log(`${done} for ${owner}`);
    const trouble = await watched.warning(tags);
    if (trouble !== undefined) console.error(trouble);
    console.log(`While the server runs, watch an ad at ${baseUrl}/demo/player`);
    console.log('Send it a day of traffic within a minute: bourse simulate');
  } finally {
    await watched.close();
    await exchange.close();
  }
}

export function demo(program: Command): void {
  const command = program
    .command('demo')
    .description('fill a team that has no objects with a small, fully connected exchange')
    .option('--mail <mail>', 'user to add the objects as (default: the first user)')
    .option('--again', 'move an existing demonstration to the address in --server');
  withServerOption(command).action(run);
}
