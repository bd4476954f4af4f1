import type { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import type { Entity } from '../entities/entity.ts';
import type { DemoTag } from '../store/interface.ts';
import { configuration } from './configuration.ts';
import type { DemoRow, UrlOf } from './demo-row.ts';
import { readServerUrl, serverUrl } from './server-url.ts';
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

/** An object as the management API answered it. */
type Added = Readonly<Record<string, unknown>> & { readonly Id: number };

/** Adds the rows in their order, each with the IDs that earlier ones were given; answers what was added. */
async function fill(call: Call, rows: readonly DemoRow[], urlOf: UrlOf): Promise<Map<DemoRow, Added>> {
  const ids = new Map<string, number>();
  const added = new Map<DemoRow, Added>();
  const idOf = (name: string): number => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`no row above is named ${name}`);
    return id;
  };
  for (const row of rows) {
    const { name, entity, values } = row;
    const body = { [entity.wrapper]: values(idOf, urlOf) };
    const answer = (await call(`${entity.path}/add`, body)) as Record<string, Added>;
    const object = answer[entity.wrapper];
    if (!object) throw new Error(`${entity.path}/add did not answer what it added`);
    ids.set(name, object.Id);
    added.set(row, object);
  }
  return added;
}

/** The VAST tags of what was added, for the player's page. */
function tagsOf(added: ReadonlyMap<DemoRow, Added>): DemoTag[] {
  return [...added].flatMap(([{ entity }, object]) => {
    if (entity.key !== 'VastTag') return [];
    const [zone] = object.ZoneUrls as readonly { readonly ZoneUrl: string }[];
    const statisticsUrl = String(object.StatsByDateJson).replaceAll(/\{\w+\}/g, '');
    return [{ id: object.Id, name: String(object.Name), zoneUrl: zone?.ZoneUrl ?? '', statisticsUrl }];
  });
}

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
  const [{ assemble }, { createLogger }, { demoExchange }, { entities }] = await Promise.all([
    import('../main.ts'),
    import('./log.ts'),
    import('./demo-exchange.ts'),
    import('../entities/registry.ts'),
  ]);
  const baseUrl = url ?? readServerUrl(serverUrl(config));
  const exchange = await assemble(config, {
    logger: createLogger('silent'),
    baseUrl: () => baseUrl,
  });
  try {
    const administrator = await exchange.ensureAdministrator();
    if (administrator) tellAdministrator(administrator);
    const { identity } = exchange.store;
    const owner = mail ?? (await identity.user(1))?.mail ?? '';
    const { accessToken } = await exchange.identity.issueToken(owner);
    const call = callerOf(exchange.app, accessToken);
    await refuseFilled(call, entities);
    const added = await fill(call, demoExchange, (path) => baseUrl + path);
    await call('auth/logout', {});
    const teamId = (await identity.userByMail(owner))?.teamId ?? 0;
    await exchange.store.setDemonstration({ teamId, url: baseUrl, tags: tagsOf(added) });
    console.log(`Added ${summary(demoExchange)} for ${owner}`);
    console.log(`While the server runs, watch an ad at ${baseUrl}/demo/player`);
    console.log('Send it a day of traffic, in a minute: bourse simulate');
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
    .option('--url <url>', 'where the server is reached (default: as its settings say)', readServerUrl)
    .action(run);
}
