import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Config, configMarkdown, configTable, readConfig } from '../src/config.ts';

const standard: Config = {
  host: '127.0.0.1',
  port: 8080,
  databaseUrl: 'sqlite:./data/bourse.db',
  baseUrl: undefined,
  consoleUrl: undefined,
  regions: undefined,
  region: undefined,
  trustedProxies: 0,
  adminMail: undefined,
  adminPassword: undefined,
  geoIpDatabase: undefined,
  apiRateLimit: 0,
  allowPrivateDemand: false,
  crawlProxy: undefined,
  gvlFile: undefined,
  ratesUrl: 'https://cdn.jsdelivr.net/gh/prebid/currency-file@1/latest.json',
  ratesFile: undefined,
  ratesDays: 7,
  smtpUrl: undefined,
  mailFrom: undefined,
  drainSeconds: 0,
  callCost: 0.1,
  explorePercent: 7,
  keepFinestDays: 45,
  keepHoursDays: 93,
  keepTrafficHoursDays: 31,
  keepTrafficDays: 93,
  keepAlertsDays: 93,
  keepSamplesDays: 8,
  analyticsUrl: undefined,
  analyticsSample: 1,
  analyticsKeptDays: 400,
  outboxFolder: './data/outbox',
  outboxMegabytes: 10_240,
  valkeyUrl: undefined,
  edgeKey: undefined,
  edgeFolder: './data/edge',
  edgeMaxAge: 1440,
  logLevel: 'info',
};

const twoRegions = [
  { name: 'us-east', url: 'https://us-east.example.com' },
  { name: 'eu', url: 'https://eu.example.com/bourse' },
];

const right: readonly [name: string, text: string, values: Partial<Config>][] = [
  ['BOURSE_HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['BOURSE_HOST', '::1', { host: '::1' }],
  ['BOURSE_HOST', 'exchange.internal', { host: 'exchange.internal' }],
  ['BOURSE_PORT', '0', { port: 0 }],
  ['BOURSE_PORT', '65535', { port: 65_535 }],
  ['BOURSE_PORT', '', {}],
  [
    'BOURSE_DATABASE_URL',
    'sqlite:/var/lib/bourse/a b.db',
    { databaseUrl: 'sqlite:/var/lib/bourse/a b.db', outboxFolder: '/var/lib/bourse/outbox' },
  ],
  ['BOURSE_DATABASE_URL', 'postgres://u:p%40@db:5432/b', { databaseUrl: 'postgres://u:p%40@db:5432/b' }],
  ['BOURSE_DATABASE_URL', 'postgresql:///b?host=/run/pg', { databaseUrl: 'postgresql:///b?host=/run/pg' }],
  ['BOURSE_BASE_URL', 'https://exchange.example.com', { baseUrl: 'https://exchange.example.com' }],
  ['BOURSE_BASE_URL', 'http://exchange.example.com:81/a//', { baseUrl: 'http://exchange.example.com:81/a' }],
  [
    'BOURSE_REGIONS',
    'us-east=https://us-east.example.com, eu=https://eu.example.com/bourse/',
    { regions: twoRegions },
  ],
  ['BOURSE_CONSOLE_URL', 'https://console.example.com/', { consoleUrl: 'https://console.example.com' }],
  ['BOURSE_REGION', 'us-east', { region: 'us-east' }],
  ['BOURSE_TRUSTED_PROXIES', '2', { trustedProxies: 2 }],
  ['BOURSE_ADMIN_MAIL', 'admin@localhost', { adminMail: 'admin@localhost' }],
  ['BOURSE_ADMIN_PASSWORD', 'pass, w:ö"d', { adminPassword: 'pass, w:ö"d' }],
  ['BOURSE_ADMIN_PASSWORD', '12345678', { adminPassword: '12345678' }],
  ['BOURSE_GEOIP_DB', './data/a b.mmdb', { geoIpDatabase: './data/a b.mmdb' }],
  ['BOURSE_API_RATE_LIMIT', '250', { apiRateLimit: 250 }],
  ['BOURSE_CALL_COST', '0', { callCost: 0 }],
  ['BOURSE_CALL_COST', '1.25', { callCost: 1.25 }],
  ['BOURSE_EXPLORE_PERCENT', '2.5', { explorePercent: 2.5 }],
  ['BOURSE_MAIL_FROM', 'reports@exchange.example.com', { mailFrom: 'reports@exchange.example.com' }],
  ['BOURSE_GVL_FILE', './vendor-list.json', { gvlFile: './vendor-list.json' }],
  ['BOURSE_RATES_URL', 'https://rates.example/daily.xml', { ratesUrl: 'https://rates.example/daily.xml' }],
  ['BOURSE_RATES_FILE', './rates.json', { ratesFile: './rates.json' }],
  ['BOURSE_RATES_DAYS', '3', { ratesDays: 3 }],
  ['BOURSE_CRAWL_PROXY', 'http://proxy.internal:3128', { crawlProxy: 'http://proxy.internal:3128' }],
  ['BOURSE_ALLOW_PRIVATE_DEMAND', '1', { allowPrivateDemand: true }],
  ['BOURSE_ALLOW_PRIVATE_DEMAND', '0', { allowPrivateDemand: false }],
  ['BOURSE_DRAIN_SECONDS', '15', { drainSeconds: 15 }],
  ['BOURSE_KEEP_FINEST_DAYS', '8', { keepFinestDays: 8 }],
  ['BOURSE_KEEP_HOURS_DAYS', '3660', { keepHoursDays: 3660 }],
  ['BOURSE_KEEP_TRAFFIC_HOURS_DAYS', '1', { keepTrafficHoursDays: 1 }],
  ['BOURSE_KEEP_TRAFFIC_DAYS', '400', { keepTrafficDays: 400 }],
  ['BOURSE_KEEP_ALERTS_DAYS', '8', { keepAlertsDays: 8 }],
  [
    'BOURSE_VALKEY_URL',
    'valkeys://bourse:p%40ss@valkey.internal/2',
    {
      valkeyUrl: {
        host: 'valkey.internal',
        port: 6379,
        hasTls: true,
        username: 'bourse',
        password: 'p@ss',
        database: 2,
      },
    },
  ],
  ['BOURSE_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
];

const wrong: readonly [name: string, text: string][] = [
  ['BOURSE_HOST', 'http://127.0.0.1'],
  ['BOURSE_HOST', 'a b'],
  ['BOURSE_CONSOLE_URL', 'console.example.com'],
  ['BOURSE_PORT', '65536'],
  ['BOURSE_PORT', '-1'],
  ['BOURSE_PORT', '80.5'],
  ['BOURSE_PORT', '0x50'],
  ['BOURSE_PORT', ' 80'],
  ['BOURSE_DATABASE_URL', './data/bourse.db'],
  ['BOURSE_DATABASE_URL', 'sqlite:'],
  ['BOURSE_DATABASE_URL', 'postgres:bourse'],
  ['BOURSE_DATABASE_URL', 'postgres://db/a b'],
  ['BOURSE_API_RATE_LIMIT', '-1'],
  ['BOURSE_API_RATE_LIMIT', '1.5'],
  ['BOURSE_CALL_COST', '-1'],
  ['BOURSE_CALL_COST', '1001'],
  ['BOURSE_EXPLORE_PERCENT', '0'],
  ['BOURSE_EXPLORE_PERCENT', '101'],
  ['BOURSE_EXPLORE_PERCENT', '7%'],
  ['BOURSE_DRAIN_SECONDS', '3601'],
  ['BOURSE_DRAIN_SECONDS', '5s'],
  ['BOURSE_KEEP_FINEST_DAYS', '7'],
  ['BOURSE_KEEP_HOURS_DAYS', '3661'],
  ['BOURSE_DATABASE_URL', 'mysql://root:hush@localhost/bourse'],
  ['BOURSE_BASE_URL', 'exchange.example.com'],
  ['BOURSE_BASE_URL', 'ftp://exchange.example.com'],
  ['BOURSE_BASE_URL', 'https://exchange.example.com?a=1'],
  ['BOURSE_BASE_URL', 'https://:80'],
  ['BOURSE_REGIONS', 'us-east'],
  ['BOURSE_REGIONS', 'us-east=example.com'],
  ['BOURSE_REGIONS', 'US=https://us.example.com'],
  ['BOURSE_REGIONS', 'eu=https://a.example.com,eu=https://b.example.com'],
  ['BOURSE_REGIONS', 'eu=https://a.example.com,'],
  ['BOURSE_REGION', 'the EU'],
  ['BOURSE_REGION', 'eu'],
  ['BOURSE_TRUSTED_PROXIES', 'all'],
  ['BOURSE_ADMIN_MAIL', 'admin'],
  ['BOURSE_ADMIN_MAIL', 'a@b..c'],
  ['BOURSE_ADMIN_MAIL', 'a@.c'],
  ['BOURSE_ADMIN_PASSWORD', 'hush777'],
  ['BOURSE_GEOIP_DB', './country\0.mmdb'],
  ['BOURSE_ALLOW_PRIVATE_DEMAND', 'true'],
  ['BOURSE_SMTP_URL', 'mail.example.com:587'],
  ['BOURSE_SMTP_URL', 'https://mail.example.com'],
  ['BOURSE_SMTP_URL', 'smtp://'],
  ['BOURSE_MAIL_FROM', 'reports'],
  ['BOURSE_MAIL_FROM', 'Desk <desk@example.com>'],
  ['BOURSE_VALKEY_URL', 'valkey.internal:6379'],
  ['BOURSE_VALKEY_URL', 'redis://:hush%@valkey.internal'],
  ['BOURSE_LOG_LEVEL', 'INFO'],
];

const names = [...configTable().matchAll(/BOURSE_\w+/g)].map(([name]) => name);

describe('the configuration', () => {
  test('without a variable is the standard one', () => {
    assert.deepEqual(readConfig({ PATH: '/bin' }), { config: standard, warnings: [] });
  });

  for (const [name, text, values] of right) {
    test(`${name}=${text} is right`, () => {
      assert.deepEqual(readConfig({ [name]: text }).config, { ...standard, ...values });
    });
  }

  for (const [name, text] of wrong) {
    test(`${name}=${text} is wrong`, () => {
      assert.throws(() => readConfig({ [name]: text }), new RegExp(`^Error: ${name} must be .+$`));
    });
  }

  test('the console shares its host with no URL of ads', () => {
    const BOURSE_CONSOLE_URL = 'https://console.example.com:8443';
    const apart = { BOURSE_CONSOLE_URL, BOURSE_BASE_URL: 'https://exchange.example.com' };
    assert.equal(readConfig(apart).config.consoleUrl, BOURSE_CONSOLE_URL);
    for (const other of [
      { BOURSE_BASE_URL: 'https://Console.example.com' },
      { BOURSE_REGIONS: 'us-east=https://us.example.com,eu=http://console.example.com/eu' },
      { BOURSE_HOST: 'console.example.com', BOURSE_BASE_URL: '' },
    ])
      assert.throws(
        () => readConfig({ ...apart, ...other }),
        /BOURSE_CONSOLE_URL must have a host of its own; console\.example\.com serves ads$/,
      );
  });

  test('mail has a sender, and the server its URL, which no message repeats', () => {
    const mail = { BOURSE_SMTP_URL: 'smtp://ada:hush@mail.example.com', BOURSE_MAIL_FROM: 'ada@example.com' };
    const { smtpUrl, mailFrom } = readConfig(mail).config;
    assert.deepEqual({ BOURSE_SMTP_URL: smtpUrl, BOURSE_MAIL_FROM: mailFrom }, mail);
    const isSilent = ({ message }: Error) => message.startsWith('BOURSE_') && !message.includes('hush');
    assert.throws(() => readConfig({ BOURSE_SMTP_URL: mail.BOURSE_SMTP_URL }), isSilent);
    assert.throws(() => readConfig({ BOURSE_SMTP_URL: 'imap://ada:hush@mail.example.com' }), isSilent);
    assert.throws(() => readConfig({ BOURSE_VALKEY_URL: 'http://:hush@valkey.internal' }), isSilent);
  });

  test('the region is one of those that there are', () => {
    const regions = { BOURSE_REGIONS: 'us=https://us.example.com,eu=https://eu.example.com' };
    assert.equal(readConfig({ ...regions, BOURSE_REGION: 'eu' }).config.region, 'eu');
    assert.throws(() => readConfig({ ...regions, BOURSE_REGION: 'us-east' }), /BOURSE_REGION .* us, eu$/);
    const wrongRegions = { BOURSE_REGIONS: 'z', BOURSE_REGION: 'eu' };
    assert.throws(() => readConfig(wrongRegions), /^Error: BOURSE_REGIONS .*$/);
  });

  test('every variable that is wrong is told, each on a line', () => {
    const environment = {
      BOURSE_PORT: 'x',
      BOURSE_HOST: '127.0.0.1',
      BOURSE_LOG_LEVEL: 'y',
      BOURSE_REGIONS: 'z',
    };
    assert.throws(
      () => readConfig(environment),
      ({ message }: Error) => {
        const lines = message.split('\n').map((line) => line.split(' ')[0]);
        assert.deepEqual(lines, ['BOURSE_PORT', 'BOURSE_REGIONS', 'BOURSE_LOG_LEVEL']);
        return true;
      },
    );
  });

  test('what may hold a password is not repeated', () => {
    const environment = {
      BOURSE_ADMIN_PASSWORD: 'hush',
      BOURSE_DATABASE_URL: 'mysql://root:hush@localhost/x',
    };
    assert.throws(
      () => readConfig(environment),
      ({ message }: Error) => !message.includes('hush'),
    );
  });

  const unknown = [
    { name: 'BOURSE_DATABASE', meant: 'BOURSE_DATABASE_URL' },
    { name: 'BOURSE_LOGLEVEL', meant: 'BOURSE_LOG_LEVEL' },
    { name: 'BOURSE_ADMIN_EMAIL', meant: 'BOURSE_ADMIN_MAIL' },
  ];
  for (const { name, meant } of unknown) {
    test(`${name} is warned of, and ${meant} named`, () => {
      const { config, warnings } = readConfig({ [name]: 'x' });
      assert.deepEqual(config, standard);
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0] ?? '',
        new RegExp(`^${name} is not a known variable.*did you mean ${meant}\\?`),
      );
    });
  }
});

describe('the table of variables', () => {
  test('tells the standard value of each', () => {
    for (const value of ['127.0.0.1', '8080', 'sqlite:./data/bourse.db', 'admin@localhost', 'info']) {
      assert.ok(configTable().includes(`[${value}]`), value);
    }
  });

  test('is the same as Markdown', () => {
    const rows = configMarkdown().split('\n').slice(2);
    assert.deepEqual(
      rows.map((row) => /^\| `(BOURSE_\w+)` \|/.exec(row)?.[1]),
      names,
    );
    for (const row of rows) assert.equal(row.match(/(?<!\\)\|/g)?.length, 5, row);
  });
});
