import { dirname } from 'node:path';
import { closest } from 'fastest-levenshtein';
import { edgeSettings } from './edge-settings.ts';
import { type ClickHouseAddress, readClickHouseUrl } from './reference/clickhouse-address.ts';
import { isMailAddress } from './reference/mail-address.ts';
import { ownMember } from './reference/own-member.ts';
import { passwordLength } from './reference/password-length.ts';
import { readValkeyUrl, type ValkeyAddress } from './reference/valkey-address.ts';
import {
  decimalUpTo,
  matching,
  oneTo,
  type Region,
  readDatabaseUrl,
  readFlag,
  readPassword,
  readRegions,
  readSmtpUrl,
  readUrl,
  type Setting,
  setting,
  sharedHost,
  wholeUpTo,
} from './setting-readers.ts';

export type { Region } from './setting-readers.ts';

/** For an installation that names none. */
export const onlyRegion = 'us-east';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof levels)[number];

const [exploredLeast, exploredMost] = [0.1, 100];

const keptDays = { min: 8, max: 3660 };

/** By default at least a week, because today's figures are compared with last week's. */
function daysSetting(name: string, standard: number, help: string, min = keptDays.min): Setting<number> {
  return setting({
    name,
    type: 'days',
    standard: String(standard),
    help,
    wants: `must be a whole number of days from ${min} to ${keptDays.max}`,
    read(text) {
      const days = wholeUpTo(keptDays.max)(text);
      return days !== undefined && days >= min ? days : undefined;
    },
  });
}

function valkeySetting(name: string, standard: string, help: string): Setting<ValkeyAddress | undefined> {
  return setting({
    name,
    type: 'URL',
    standard,
    help,
    secret: true,
    read: readValkeyUrl,
    wants:
      'must be a URL valkey://user:password@host:port/database or redis://… (with TLS, valkeys://… or rediss://…); write special characters of the password as %40',
  });
}

const settings = {
  host: setting<string>({
    name: 'BOURSE_HOST',
    type: 'address',
    standard: '127.0.0.1',
    help: 'Address to listen on; 0.0.0.0 for all addresses of the machine',
    wants: 'must be an IP address or a host name, like 127.0.0.1',
    read: matching(/^[\w.:%-]{1,255}$/),
  }),
  port: setting<number>({
    name: 'BOURSE_PORT',
    type: 'port',
    standard: '8080',
    help: 'Port to listen on; 0 for any free port',
    wants: 'must be a port, from 0 to 65535',
    read: wholeUpTo(65_535),
  }),
  databaseUrl: setting<string>({
    name: 'BOURSE_DATABASE_URL',
    type: 'URL',
    standard: 'sqlite:./data/bourse.db',
    help: 'Database: sqlite:<path of its file>, which a server creates if it does not exist, or postgres://user:password@host/database (PostgreSQL 15 or newer)',
    wants:
      'must be sqlite:<path of a file>, like sqlite:./data/bourse.db, or a URL postgres://user:password@host/database',
    secret: true,
    read: readDatabaseUrl,
  }),
  baseUrl: setting<string | undefined>({
    name: 'BOURSE_BASE_URL',
    type: 'URL',
    standard: '(http://<host>:<port>; for 0.0.0.0, an address of the machine)',
    help: 'Where clients reach this server; URLs in answers begin with it',
    wants: 'must be an absolute http or https URL without a query, like https://exchange.example.com',
    read: readUrl,
  }),
  consoleUrl: setting<string | undefined>({
    name: 'BOURSE_CONSOLE_URL',
    type: 'URL',
    standard: '(the base URL)',
    help: 'Separate host for the console and the API: they are served only there, and ads at all other hosts',
    wants: 'must be an absolute http or https URL without a query, like https://console.example.com',
    read: readUrl,
  }),
  regions: setting<readonly Region[] | undefined>({
    name: 'BOURSE_REGIONS',
    type: 'name=URL,…',
    standard: `(${onlyRegion}=<base URL>)`,
    help: 'Regions, and the URL at which the zones of each are reached',
    wants:
      'must be a list of region names (a-z, 0-9, -) with URLs, each name once, like us-east=https://us-east.example.com,eu=https://eu.example.com',
    read: readRegions,
  }),
  region: setting<string | undefined>({
    name: 'BOURSE_REGION',
    type: 'name',
    standard: '(the first region)',
    help: 'Region of this process: its trackers lead there, and it calls demand at the URL for that region',
    wants: 'must be the name of a region (a-z, 0-9, -), like us-east',
    read: matching(/^[a-z0-9-]{1,32}$/),
  }),
  trustedProxies: setting<number>({
    name: 'BOURSE_TRUSTED_PROXIES',
    type: 'number',
    standard: '0',
    help: 'How many of your reverse proxies a request passes, one after another, before this server (a number, not addresses); they send the address of the player, or of the person logging in, in X-Forwarded-For',
    wants: 'must be the number of proxies in front of the server, from 0 to 9',
    read: wholeUpTo(9),
  }),
  adminMail: setting<string | undefined>({
    name: 'BOURSE_ADMIN_MAIL',
    type: 'mail',
    standard: '(admin@localhost)',
    help: 'Mail address of the administrator that the first start adds',
    wants: 'must be an e-mail address, like admin@example.com',
    read: (text) => (isMailAddress(text) ? text : undefined),
  }),
  adminPassword: setting<string | undefined>({
    name: 'BOURSE_ADMIN_PASSWORD',
    type: 'text',
    standard: '(generated and printed once)',
    help: `Password of the administrator that the first start adds; ${passwordLength.min} characters or more`,
    wants: `must be ${passwordLength.min} to ${passwordLength.max} characters long`,
    secret: true,
    read: readPassword,
  }),
  geoIpDatabase: setting<string | undefined>({
    name: 'BOURSE_GEOIP_DB',
    type: 'path',
    standard: '(the one of the package)',
    help: 'MaxMind DB file (.mmdb) to look up the country of an IP address, in place of the one that comes with Bourse',
    wants: 'must be the path of a file, like ./GeoLite2-Country.mmdb',
    read: matching(/^[^\0]+$/),
  }),
  apiRateLimit: setting<number>({
    name: 'BOURSE_API_RATE_LIMIT',
    type: 'number',
    standard: '0',
    help: 'Requests per second that a token may make on this server; 0 for unlimited',
    wants: 'must be a number of requests from 0 to 999999',
    read: wholeUpTo(999_999),
  }),
  allowPrivateDemand: setting<boolean>({
    name: 'BOURSE_ALLOW_PRIVATE_DEMAND',
    type: '0 or 1',
    standard: '0',
    help: 'Whether URLs of demand may lead to loopback and private addresses: 1 = yes',
    wants: 'must be 0 or 1',
    read: readFlag,
  }),
  smtpUrl: setting<string | undefined>({
    name: 'BOURSE_SMTP_URL',
    type: 'URL',
    standard: '(none: no mail is sent)',
    help: 'Mail server: smtp://user:password@host:587 (with STARTTLS if the server offers it) or smtps://…',
    wants: 'must be a URL smtp://user:password@host:587 or smtps://user:password@host',
    secret: true,
    read: readSmtpUrl,
  }),
  mailFrom: setting<string | undefined>({
    name: 'BOURSE_MAIL_FROM',
    type: 'address',
    standard: '(none; needed to send mail)',
    help: 'Sender address of mail',
    wants: 'must be an e-mail address, like reports@exchange.example.com',
    read: (text) => (isMailAddress(text) ? text : undefined),
  }),
  crawlProxy: setting<string | undefined>({
    name: 'BOURSE_CRAWL_PROXY',
    type: 'URL',
    standard: '(none)',
    help: 'HTTP proxy for fetching the files and pages of sites, apps and sellers that checks need',
    wants: 'must be an absolute http or https URL without a query, like http://proxy.internal:3128',
    secret: true,
    read: readUrl,
  }),
  gvlFile: setting<string | undefined>({
    name: 'BOURSE_GVL_FILE',
    type: 'path',
    standard: '(fetched from vendor-list.consensu.org once a consent string comes)',
    help: "The IAB's Global Vendor List (vendor-list.json), or a folder with several versions; read again when it changes",
    wants: 'must be the path of a file or a folder, like ./vendor-list.json',
    read: matching(/^[^\0]+$/),
  }),
  ratesUrl: setting<string>({
    name: 'BOURSE_RATES_URL',
    type: 'URL',
    standard: 'https://cdn.jsdelivr.net/gh/prebid/currency-file@1/latest.json',
    help: "Exchange rates, fetched once a currency other than USD is used: JSON in the form of Prebid's file, or the European Central Bank's XML",
    wants:
      'must be an absolute http or https URL, like https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
    read: readUrl,
  }),
  ratesFile: setting<string | undefined>({
    name: 'BOURSE_RATES_FILE',
    type: 'path',
    standard: '(fetched)',
    help: 'File with exchange rates, in place of those that are fetched; read again when it changes',
    wants: 'must be the path of a file, like ./rates.json',
    read: matching(/^[^\0]+$/),
  }),
  ratesDays: setting<number>({
    name: 'BOURSE_RATES_DAYS',
    type: 'days',
    standard: '7',
    help: 'How many days old exchange rates may be; then currencies other than USD are refused',
    wants: 'must be a whole number of days from 1 to 366',
    read: (text) => wholeUpTo(366)(text) || undefined,
  }),
  drainSeconds: setting<number>({
    name: 'BOURSE_DRAIN_SECONDS',
    type: 'seconds',
    standard: '0',
    help: 'How long /readyz returns 503 before a stopping server closes its port, so that load balancers send requests elsewhere',
    wants: 'must be a whole number of seconds from 0 to 3600',
    read: wholeUpTo(3600),
  }),
  callCost: setting<number>({
    name: 'BOURSE_CALL_COST',
    type: 'USD',
    standard: '0.1',
    help: 'Cost of a million calls to demand; with AutoOptimize, a call that is expected to bring less is not made',
    wants: 'must be an amount in USD from 0 to 1000, like 0.1',
    read: decimalUpTo(1000),
  }),
  explorePercent: setting<number>({
    name: 'BOURSE_EXPLORE_PERCENT',
    type: 'percent',
    standard: '7',
    help: 'Percentage of the calls that AutoOptimize would save which are made anyway, to notice when a partner changes its mind',
    wants: 'must be a percentage from 0.1 to 100, like 7',
    read(text) {
      const share = decimalUpTo(exploredMost)(text);
      return share !== undefined && share >= exploredLeast ? share : undefined;
    },
  }),
  keepFinestDays: daysSetting(
    'BOURSE_KEEP_FINEST_DAYS',
    45,
    'How many days to keep counts by quarter hour, and the largest counts by day: pairs of objects by country, device and site',
  ),
  keepTrafficHoursDays: daysSetting(
    'BOURSE_KEEP_TRAFFIC_HOURS_DAYS',
    31,
    'How many days to keep counts by country, device, size and site by quarter hour, for reports by the hour and in any time zone',
    1,
  ),
  keepHoursDays: daysSetting(
    'BOURSE_KEEP_HOURS_DAYS',
    93,
    'How many days to keep counts by pair of objects and hour',
  ),
  keepTrafficDays: daysSetting(
    'BOURSE_KEEP_TRAFFIC_DAYS',
    93,
    'How many days to keep counts by day and country, device, system, size, site or creative',
  ),
  keepAlertsDays: daysSetting(
    'BOURSE_KEEP_ALERTS_DAYS',
    93,
    'How many days to keep what alerts have found, after it has ended',
  ),
  keepSamplesDays: daysSetting(
    'BOURSE_KEEP_SAMPLES_DAYS',
    8,
    'How many days to keep the samples of bids from which floors are judged',
  ),
  analyticsUrl: setting<ClickHouseAddress | undefined>({
    name: 'BOURSE_ANALYTICS_URL',
    type: 'URL',
    standard: '(none: reports come from the database alone)',
    help: 'ClickHouse for single auctions and billable events: clickhouse://user:password@host:port/database, with its HTTP port (8123); with ?secure=1, its HTTPS port (8443)',
    wants: 'must be a URL clickhouse://user:password@host:port/database, with or without ?secure=1',
    secret: true,
    read: readClickHouseUrl,
  }),
  analyticsSample: setting<number>({
    name: 'BOURSE_ANALYTICS_SAMPLE',
    type: 'number',
    standard: '1',
    help: 'Send one in N auctions to ClickHouse; each counts N times. Billable events and refusals are always sent',
    wants: 'must be a whole number from 1 to 10000',
    read: oneTo(10_000),
  }),
  analyticsKeptDays: setting<number>({
    name: 'BOURSE_ANALYTICS_DAYS',
    type: 'days',
    standard: '400',
    help: 'How many days ClickHouse keeps them',
    wants: 'must be a whole number of days from 1 to 3660',
    read: oneTo(keptDays.max),
  }),
  outboxFolder: setting<string>({
    name: 'BOURSE_OUTBOX',
    type: 'path',
    standard: '(outbox beside the SQLite file, else ./data/outbox)',
    help: 'Folder on this machine that outlives the process: what is counted is written there first, billable events before they are acknowledged, until the database has it; with ClickHouse, rows wait there until it has them',
    wants: 'must be the path of a folder, like ./data/outbox',
    read: matching(/^[^\0]+$/),
  }),
  outboxMegabytes: setting<number>({
    name: 'BOURSE_OUTBOX_MB',
    type: 'megabytes',
    standard: '10240',
    help: 'Disk limit per process for what waits to be counted; the ClickHouse queue has the same limit again. Beyond it, billable events are refused, other counts wait in memory, and single auctions are no longer kept',
    wants: 'must be a whole number of megabytes from 1 to 999999',
    read: oneTo(999_999),
  }),
  valkeyUrl: valkeySetting(
    'BOURSE_VALKEY_URL',
    '(none: each process counts on its own)',
    'Valkey (7.2 or newer) or Redis (7.0 or newer) that the servers of a region share: valkey://user:password@host:6379/0 or redis://…, with TLS valkeys://… or rediss://…',
  ),
  ...edgeSettings,
  logLevel: setting<LogLevel>({
    name: 'BOURSE_LOG_LEVEL',
    type: 'level',
    standard: 'info',
    help: `Log level; the log goes to stderr: ${levels.join(', ')}`,
    wants: `must be one of ${levels.join(', ')}`,
    read: (text) => levels.find((level) => level === text),
  }),
};

export type Config = {
  readonly [Key in keyof typeof settings]: (typeof settings)[Key] extends Setting<infer T> ? T : never;
};

const rows: readonly (readonly [key: string, row: Setting<unknown>])[] = Object.entries(settings);
const names = rows.map(([, { name }]) => name);

function faultOf({ name, wants, secret }: Setting<unknown>, text: string): string {
  return secret ? `${name} ${wants}` : `${name} ${wants}; it is "${text}"`;
}

/** Undefined if the default is described in words. */
function defaultText({ standard }: Setting<unknown>): string | undefined {
  return standard.startsWith('(') ? undefined : standard;
}

function unknownNames(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('BOURSE_') && !names.includes(name))
    .map(
      (name) => `${name} is not a known variable and has no effect; did you mean ${closest(name, names)}?`,
    );
}

/** Stays wrong at every try. The message has one line per variable. */
export class ConfigurationError extends Error {}

/** The first if no name is given. Throws a `ConfigurationError` for an unknown name. */
export function regionNamed<R extends Pick<Region, 'name'>>(
  regions: readonly R[],
  name: string | undefined,
): R {
  const region = name === undefined ? regions[0] : regions.find((one) => one.name === name);
  if (region) return region;
  const known = regions.map((one) => one.name).join(', ');
  throw new ConfigurationError(
    `${settings.region.name} must be the name of a region; it is "${name}", and the regions are ${known}`,
  );
}

/** `warnings` name unknown variables that look like ours. Throws a `ConfigurationError`. */
/** Beside a SQLite file, whose folder can be written to. */
function outboxBeside(databaseUrl: string): string {
  const path = /^sqlite:(.+)$/s.exec(databaseUrl)?.[1];
  return `${path === undefined ? './data' : dirname(path)}/outbox`;
}

export function readConfig(environment: NodeJS.ProcessEnv): {
  readonly config: Config;
  readonly warnings: readonly string[];
} {
  const faults: string[] = [];
  const values = rows.map(([key, row]) => {
    const text = ownMember(environment, row.name) || defaultText(row);
    if (text === undefined) return [key, undefined];
    const value = row.read(text);
    if (value === undefined) faults.push(faultOf(row, text));
    return [key, value];
  });
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  const given = Object.fromEntries(values) as Config;
  const config = { ...given, outboxFolder: given.outboxFolder ?? outboxBeside(given.databaseUrl) };
  if (config.smtpUrl !== undefined && config.mailFrom === undefined) {
    throw new ConfigurationError(
      `${settings.mailFrom.name} must be set if ${settings.smtpUrl.name} is: it is the sender address of mail`,
    );
  }
  const shared = sharedHost(config);
  if (shared !== undefined)
    throw new ConfigurationError(
      `${settings.consoleUrl.name} must have a host of its own; ${shared} serves ads`,
    );
  regionNamed<Pick<Region, 'name'>>(config.regions ?? [{ name: onlyRegion }], config.region);
  return { config, warnings: unknownNames(environment) };
}

export function configTable(): string {
  const width = Math.max(...names.map((name) => name.length));
  const lines = rows.map(
    ([, { name, help, standard }]) => `  ${name.padEnd(width)}  ${help} [${bare(standard)}]`,
  );
  return ['Environment:', ...lines].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('|', '\\|');
}

export function configMarkdown(): string {
  const lines = rows.map(([, { name, type, standard, help }]) => {
    const value = standard.startsWith('(') ? escaped(bare(standard)) : `\`${standard}\``;
    return `| \`${name}\` | ${escaped(type)} | ${value} | ${escaped(help)} |`;
  });
  return ['| Variable | Type | Default | Meaning |', '|---|---|---|---|', ...lines].join('\n');
}

function bare(standard: string): string {
  return standard.replace(/^\((.*)\)$/, '$1');
}
