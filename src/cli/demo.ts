import type { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import type { Entity } from '../entities/entity.ts';
import { configuration } from './configuration.ts';
import type { DemoRow } from './demo-row.ts';
import { tellAdministrator } from './tell-administrator.ts';

/** Calls the management API inside this process. */
type Call = (path: string, body?: object) => Promise<unknown>;

function callerOf(app: FastifyInstance, token: string): Call {
  return async (path, body) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const answer = await app.inject({ method, url: `/api/${path}`, headers, ...payload });
    if (answer.statusCode === 200) return answer.json();
    throw new Error(`${path}: ${answer.json<{ Error: string }>().Error}`);
  };
}

async function refuseFilled(call: Call, entities: readonly Entity[]): Promise<void> {
  for (const { path, title } of entities) {
    const found = (await call(`${path}/get?Limit=1`)) as unknown[];
    if (found.length === 0) continue;
    throw new Error(`The database holds objects already (${title}); demo fills only an empty one`);
  }
}

/** Adds the rows in their order, each with the IDs that earlier ones were given. */
async function fill(call: Call, rows: readonly DemoRow[]): Promise<void> {
  const ids = new Map<string, number>();
  const idOf = (name: string): number => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`no row above is named ${name}`);
    return id;
  };
  for (const { name, entity, values } of rows) {
    const body = { [entity.wrapper]: values(idOf) };
    const answer = (await call(`${entity.path}/add`, body)) as Record<string, { Id: number }>;
    ids.set(name, answer[entity.wrapper]?.Id ?? 0);
  }
}

/** `3 Publisher, 2 Advertiser`: how many rows there are of each entity. */
function summary(rows: readonly DemoRow[]): string {
  const byTitle = Map.groupBy(rows, ({ entity }) => entity.title);
  return [...byTitle].map(([title, { length }]) => `${length} ${title}${length === 1 ? '' : 's'}`).join(', ');
}

async function run({ mail }: { mail?: string }): Promise<void> {
  const config = configuration();
  const [{ assemble }, { createLogger }, { demoExchange }, { entities }] = await Promise.all([
    import('../main.ts'),
    import('./log.ts'),
    import('./demo-exchange.ts'),
    import('../entities/registry.ts'),
  ]);
  const baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`;
  const exchange = await assemble(config, {
    logger: createLogger('silent'),
    baseUrl: () => baseUrl,
  });
  try {
    const administrator = await exchange.ensureAdministrator();
    if (administrator) tellAdministrator(administrator);
    const owner = mail ?? (await exchange.store.identity.user(1))?.mail ?? '';
    const { accessToken } = await exchange.identity.issueToken(owner);
    const call = callerOf(exchange.app, accessToken);
    await refuseFilled(call, entities);
    await fill(call, demoExchange);
    await call('auth/logout', {});
    console.log(`Added ${summary(demoExchange)} for ${owner}`);
  } finally {
    await exchange.close();
  }
}

/** `bourse demo`: a believable exchange in an empty database, added through the management API's own operations. */
export function demo(program: Command): void {
  program
    .command('demo')
    .description('fill an empty database with a small exchange, all connected')
    .option('--mail <mail>', 'user who adds the objects (default: the first user)')
    .action(run);
}
