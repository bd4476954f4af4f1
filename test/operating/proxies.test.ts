import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { neededTool, skipWithout } from '../support/debian-tools.ts';
import { freePort } from '../support/free-port.ts';

const root = dirname(dirname(import.meta.dirname));
const read = (name: string) => readFileSync(join(root, name), 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'bourse-proxies-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const host = 'exchange.example.com';
const consoleHost = 'console.example.com';
const isThere = (command: string, argument: string) => spawnSync(command, [argument]).status === 0;

interface Ports {
  readonly bourse: string;
  readonly plain: number;
  readonly secure: number;
}

interface Proxy {
  readonly name: 'nginx' | 'caddy';
  readonly file: string;
  /** Starts it with the example: only names, ports and the place of files are the test's. */
  readonly start: (ports: Ports) => ChildProcess;
  /** The status of its answer to a plain request. */
  readonly redirect: number;
}

/** A certificate for the host, which no one vouches for. */
function certificate(): { readonly key: string; readonly cert: string } {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const self = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${host}`];
  spawnSync('openssl', [...self, '-keyout', key, '-out', cert]);
  return { key, cert };
}

const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    file: 'deploy/nginx/bourse.conf',
    redirect: 301,
    start({ bourse, plain, secure }) {
      const { key, cert } = certificate();
      const example = read(this.file)
        .replace(/listen \[::\]:.*\n/g, '')
        .replace('listen 80;', `listen 127.0.0.1:${plain};`)
        .replace('listen 443 ', `listen 127.0.0.1:${secure} `)
        .replace(/ssl_certificate \S+;/, `ssl_certificate ${cert};`)
        .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
        .replace('/var/log/nginx/bourse.log', join(folder, 'access.log'))
        .replace('127.0.0.1:8080', bourse)
        // This machine is to be a stranger.
        .replace('allow 127.0.0.1;', '');
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${join(folder, name)};`,
      );
      // Its workers must reach the folder of the test.
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      const whole = `${user} daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr; events {} http { ${paths.join(' ')}\n${example} }`;
      writeFileSync(join(folder, 'nginx.conf'), whole);
      return spawn(neededTool('nginx'), ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
    },
  },
  {
    name: 'caddy',
    file: 'deploy/caddy/Caddyfile',
    redirect: 308,
    start({ bourse, plain, secure }) {
      const example = read(this.file)
        .replace(`${host} {`, `${host} {\n\ttls internal`)
        .replace('127.0.0.1:8080', bourse)
        .replace('not remote_ip 127.0.0.1 ', 'not remote_ip ');
      const own = `{\n\thttp_port ${plain}\n\thttps_port ${secure}\n\tadmin off\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n}\n`;
      const file = join(folder, 'Caddyfile');
      writeFileSync(file, own + example);
      const data = join(folder, 'caddy');
      mkdirSync(data);
      const env = { ...process.env, HOME: data, XDG_DATA_HOME: data, XDG_CONFIG_HOME: data };
      return spawn(neededTool('caddy'), ['run', '--config', file, '--adapter', 'caddyfile'], {
        env,
        stdio: 'ignore',
      });
    },
  },
];

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request by TLS to the port: of the API in the name of the console's host, else in that of ads. */
async function send(
  port: number,
  path: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const servername = headers.host ?? (path.startsWith('/api/') ? consoleHost : host);
  const call = request({
    host: '127.0.0.1',
    port,
    path,
    servername,
    rejectUnauthorized: false,
    headers: { host: servername, ...headers },
    method: body === undefined ? 'GET' : 'POST',
  });
  call.end(body);
  const [response] = await once(call, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const password = 'correct horse battery';

for (const proxy of proxies) {
  const skip = skipWithout(proxy.name);
  describe(`${proxy.file}`, { skip }, () => {
    let server: SpawnedServer;
    let running: ChildProcess;
    let secure = 0;
    let plain = 0;
    let token = '';
    const logIn = (Password: string, forwarded: string) =>
      send(secure, '/api/auth/login', {
        body: JSON.stringify({ Username: 'admin@localhost', Password }),
        headers: { 'x-forwarded-for': forwarded },
      });

    before(async () => {
      [plain, secure] = [await freePort(), await freePort()];
      server = await bourseProcess().serve({
        BOURSE_BASE_URL: `https://${host}`,
        BOURSE_CONSOLE_URL: `https://${consoleHost}`,
        BOURSE_TRUSTED_PROXIES: '1',
        BOURSE_ADMIN_PASSWORD: password,
      });
      running = proxy.start({ bourse: new URL(server.url).host, plain, secure });
      while (!(await send(secure, '/healthz').catch(() => undefined)));
      const { body } = await logIn(password, '203.0.113.1');
      token = JSON.parse(body).AccessToken;
    });
    after(async () => {
      running.kill('SIGTERM');
      await Promise.all([once(running, 'exit'), stopped(server)]);
    });

    test('serves by TLS, and sends plain requests there', async () => {
      const { status, headers } = await send(secure, '/readyz');
      assert.deepEqual([status, headers['strict-transport-security']], [200, 'max-age=31536000']);
      const call = httpRequest({ host: '127.0.0.1', port: plain, path: '/a?b=1', headers: { host } }).end();
      const [response] = await once(call, 'response');
      response.resume();
      assert.equal(response.statusCode, proxy.redirect);
      assert.match(response.headers.location, /^https:\/\/exchange\.example\.com(:\d+)?\/a\?b=1$/);
    });

    test('keeps the console and the API at their host, and ads at theirs', async () => {
      const { status, body } = await send(secure, '/api/tag/get', { headers: { host } });
      assert.equal(status, 404);
      assert.match(body, /the console and the API are at https:\/\/console\.example\.com"/);
      assert.equal((await send(secure, '/api/tag/get')).status, 401);
      assert.equal((await send(secure, '/sellers.json')).status, 200);
      assert.equal((await send(secure, '/sellers.json', { headers: { host: consoleHost } })).status, 404);
    });

    test('takes lists of many megabytes, and URLs as long as players send', async () => {
      const ListText = Array.from({ length: 1_000_000 }, (_, index) => `site-${index}.example`).join('\n');
      const body = JSON.stringify({ DomainList: { Name: 'Long', ListText } });
      assert.ok(body.length > 20_000_000);
      const headers = { authorization: `Bearer ${token}` };
      const added = await send(secure, '/api/domainlist/add', { body, headers });
      assert.equal(added.status, 200, added.body.slice(0, 300));
      const zone = await send(secure, `/vast?zone=1&auth=x&site_url=${'a'.repeat(100_000)}`);
      assert.ok(zone.status !== 414 && zone.status < 500, `${zone.status}`);
    });

    test('chooses the ID of a request, and hides the metrics', async () => {
      const { headers } = await send(secure, '/healthz', { headers: { 'x-request-id': 'chosen' } });
      assert.match(String(headers['x-request-id']), /^[\da-f-]{32,36}$/);
      assert.equal((await send(secure, '/metrics')).status, 403);
    });

    test('tells who fails to log in, whatever address they claim', async () => {
      const statuses: number[] = [];
      for (let time = 0; time < 12; time += 1)
        statuses.push((await logIn('a wrong one', `203.0.113.${time}`)).status);
      assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429]);
    });
  });
}

const skip = !isThere('logrotate', '--version') && 'there is no logrotate';
test('the example of logrotate cuts a log that stays open', { skip }, () => {
  const log = join(folder, 'bourse.log');
  const rules = join(folder, 'logrotate.conf');
  writeFileSync(log, 'one\n');
  writeFileSync(
    rules,
    (/```logrotate\n(.*?)```/s.exec(read('docs/operations.md'))?.[1] ?? '').replace(
      '/var/log/bourse/*.log',
      log,
    ),
    { mode: 0o644 },
  );
  const { status, stderr } = spawnSync('logrotate', ['--force', '--state', join(folder, 'state'), rules]);
  assert.equal(status, 0, String(stderr));
  assert.deepEqual([readFileSync(log, 'utf8'), readFileSync(`${log}.1`, 'utf8')], ['', 'one\n']);
});
