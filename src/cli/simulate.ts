import { setTimeout } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { HttpClient } from '../simulation/http-client.ts';
import type { ManagementClient, TagCounts } from '../simulation/traffic/management.ts';
import type { SimulationReport } from '../simulation/traffic/report.ts';
import type { Tally } from '../simulation/traffic/tally.ts';
import type { Zone } from '../simulation/traffic/zone.ts';
import { configuration } from './configuration.ts';
import { givenPassword, type PasswordOptions, withPasswordOptions } from './people/password-options.ts';
import { mailOrFirstUser } from './people/with-identity.ts';
import { apiUrl, withServerOption } from './server-url.ts';
import { withStore } from './with-store.ts';

interface Options extends PasswordOptions {
  readonly server?: string;
  readonly mail?: string;
  readonly token?: string;
  readonly zone?: readonly string[];
  readonly rate: number;
  readonly duration: number;
  readonly seed: number;
  readonly json?: true;
}

const rateMax = 100_000;
const secondsMax = 86_400;
/** The last counts must have reached the database by then. */
const countedMsMax = 5000;
/** The age of objects' figures, such as revenue (reference, S11). */
const figuresMs = 2000;
const askAgainMs = 250;
/** A token lasts an hour; it is renewed well before that. */
const tokenMsMax = 30 * 60_000;

function readAmount(most: number) {
  return (value: string): number => {
    const number = /^\d{1,6}(\.\d{1,3})?$/.test(value) ? Number(value) : 0;
    if (number > 0 && number <= most) return number;
    throw new InvalidArgumentError(`must be a number above 0, at most ${most}`);
  };
}

function readSeed(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('must be a whole number');
}

function readZoneUrl(value: string, before: readonly string[] = []): string[] {
  if (URL.canParse(value) && /^https?:/i.test(value)) return [...before, value];
  throw new InvalidArgumentError('must be the zone URL of a VAST tag');
}

/** For calls without credentials; the database must be the server's own. */
function issuedToken(mail: string | undefined): Promise<string> {
  return withStore(async (store) => {
    const { createIdentity } = await import('../identity/identity.ts');
    const owner = await mailOrFirstUser(store, mail);
    return (await createIdentity({ store, now: Date.now }).issueToken(owner)).accessToken;
  });
}

function renewed(issue: () => Promise<string>): () => Promise<string> {
  let token: Promise<string> | undefined;
  let issuedMs = 0;
  return () => {
    if (!token || performance.now() - issuedMs > tokenMsMax) {
      token = issue();
      issuedMs = performance.now();
    }
    return token;
  };
}

async function tokenOf(options: Options, http: HttpClient, url: string): Promise<() => Promise<string>> {
  const { token, mail } = options;
  if (token !== undefined) return async () => token;
  const password = await givenPassword(options);
  if (password === undefined) return renewed(() => issuedToken(mail));
  if (mail === undefined) throw new Error('A password needs --mail, the address of its user');
  const { logIn } = await import('../simulation/traffic/management.ts');
  return renewed(() => logIn(http, url, mail, password));
}

async function finalCounts(tally: Tally, counted: () => Promise<TagCounts>): Promise<TagCounts> {
  const { impression = 0 } = tally.acknowledged;
  const lateMs = performance.now() + countedMsMax;
  for (;;) {
    const { requests, impressions } = await counted();
    const isThere = requests >= tally.requests && impressions >= impression;
    if (isThere || performance.now() > lateMs) break;
    await setTimeout(askAgainMs);
  }
  await setTimeout(figuresMs);
  return counted();
}

/** The first Ctrl-C ends the day and prints what there is, the second one the program. */
function interruptSignal(): AbortSignal {
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort());
  return abort.signal;
}

async function zonesOf(
  { zone = [] }: Options,
  management: ManagementClient | undefined,
): Promise<[Zone, ...Zone[]]> {
  const { everyDevice } = await import('../simulation/traffic/zone.ts');
  const zones = management ? await management.zones() : zone.map((url) => ({ url, kinds: everyDevice }));
  const [first, ...others] = zones;
  if (first) return [first, ...others];
  throw new Error('The team has no active VAST tags; `bourse demo` adds some');
}

/** Without answers the day has measured nothing. */
function assertAnswered({ requests, failed }: SimulationReport): void {
  if (requests > 0 && failed === requests) throw new Error(`All ${requests} requests failed`);
}

async function run(options: Options): Promise<void> {
  const [{ createHttpClient }, { createManagementClient }, { simulateDay }, { realClock }, shown] =
    await Promise.all([
      import('../simulation/http-client.ts'),
      import('../simulation/traffic/management.ts'),
      import('../simulation/traffic/simulate-day.ts'),
      import('../simulation/traffic/real-clock.ts'),
      import('../simulation/traffic/report.ts'),
    ]);
  const { rate: requestsPerSecond, duration, seed, json } = options;
  const http = createHttpClient();
  const server = options.server ?? apiUrl(configuration());
  const management = options.zone
    ? undefined
    : createManagementClient(http, server, await tokenOf(options, http, server));
  try {
    const zones = await zonesOf(options, management);
    const countedSoFar = await management?.counting();
    const tags = zones.length === 1 ? '1 tag' : `${zones.length} tags`;
    if (!json)
      console.log(`${tags}, ${requestsPerSecond} requests per second, a day in ${duration} s, seed ${seed}`);
    const signal = interruptSignal();
    const clock = realClock(signal);
    const day = { zones, requestsPerSecond, seconds: duration, seed, http, clock, signal };
    const tally = await simulateDay(day);
    const seconds = clock.nowMs() / 1000;
    const counted = countedSoFar && (await finalCounts(tally, countedSoFar));
    const report = shown.simulationReport({ tally, seed, seconds, counted });
    console.log(json ? JSON.stringify(report) : shown.reportText(report));
    assertAnswered(report);
  } finally {
    await http.close();
  }
}

export function simulate(program: Command): void {
  const command = withServerOption(
    program
      .command('simulate')
      .description(
        'simulate a day of players requesting ads from a running exchange, and print the measurements',
      ),
  ).option(
    '--mail <mail>',
    "user whose team's VAST tags are requested (default: the first user in the database)",
  );
  withPasswordOptions(command)
    .addOption(
      new Option('--token <token>', 'access token or API key, instead of a password').conflicts([
        'password',
        'mail',
      ]),
    )
    .addOption(
      new Option('--zone <url>', 'request this zone URL, without the management API; can be repeated')
        .argParser(readZoneUrl)
        .conflicts(['token', 'mail', 'password', 'passwordStdin', 'server']),
    )
    .option('--rate <number>', 'requests per second, averaged over the day', readAmount(rateMax), 50)
    .option('--duration <seconds>', 'how long the simulated day takes', readAmount(secondsMax), 60)
    .option('--seed <number>', 'seed of the random numbers; another seed is another day', readSeed, 1)
    .option('--json', 'print the report as a single line of JSON')
    .action(run);
}
