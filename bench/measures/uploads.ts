import { mkdtempSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { createIdentity } from '../../src/identity/identity.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { publisher } from '../data/publisher.ts';
import type { Measure } from '../measure.ts';
import { startBourse } from '../servers/bourse.ts';
import { percentile } from '../speed.ts';

const uploads = 8;
const bodyBytes = 60 * 1024 * 1024;
const threads = 2;
const fetchEveryMs = 20;
const sampleEveryMs = 5;
const bounds = { memoryMegabytes: 600, fetchMs: 200 } as const;

/** A body that adds a list of so many bytes, all of its lines different. */
function listBody(): Buffer {
  const body = Buffer.alloc(bodyBytes, ' ');
  let end = body.write('{"DomainList":{"Name":"Large","ListText":"');
  for (let line = 0; end < bodyBytes - 64; line += 1) {
    end += body.write(`domain-${line}.example.com\\n`, end, 'latin1');
  }
  body.write('"}}', end);
  return body;
}

type Headers = Readonly<Record<string, string>>;

/** Sends a request on a connection of its own, so that any thread may get it. */
async function sent(url: string, headers: Headers, body?: Buffer): Promise<IncomingMessage> {
  const call = request(url, { method: body ? 'POST' : 'GET', agent: false, headers });
  const answer = Promise.withResolvers<IncomingMessage>();
  call.on('response', answer.resolve).on('error', answer.reject);
  call.end(body);
  return answer.promise;
}

async function upload(url: string, headers: Headers, body: Buffer): Promise<number> {
  for (let refusals = 0; ; refusals += 1) {
    const answer = await sent(
      `${url}/api/domainlist/add`,
      { ...headers, 'content-length': `${bodyBytes}` },
      body,
    );
    const said = await json(answer);
    if (answer.statusCode === 200) return refusals;
    const retryAfterSeconds = Number(answer.headers['retry-after']);
    if (answer.statusCode !== 503 || !(retryAfterSeconds > 0)) throw new Error(JSON.stringify(said));
    await delay(retryAfterSeconds * 1000);
  }
}

async function otherTeam(databaseUrl: string): Promise<Headers> {
  const store = await openConfiguredStore(databaseUrl);
  const identity = createIdentity({ store, now: Date.now });
  const mail = 'other@example.com';
  const teamId = await identity.addTeam({ name: 'Other' });
  await identity.addUser({ teamId, mail, password: 'other other other', role: 0 });
  const { accessToken } = await identity.issueToken(mail);
  await store.close();
  return { authorization: `Bearer ${accessToken}` };
}

async function fetches(url: string, headers: Headers, isOver: () => boolean): Promise<number[]> {
  const takenMs: number[] = [];
  while (!isOver()) {
    const beginMs = performance.now();
    await json(await sent(`${url}/api/publisher/get`, headers));
    takenMs.push(performance.now() - beginMs);
    await delay(fetchEveryMs);
  }
  return takenMs;
}

/** Eight lists of 60 MiB at once from one team: the server's memory, and how long another team's fetches take. */
export const largeUploads: Measure = {
  name: 'uploads',
  run: async ({ folder }) => {
    const databaseUrl = `sqlite:${join(mkdtempSync(join(folder, 'uploads-')), 'bourse.db')}`;
    const { server, api } = await startBourse(folder, { databaseUrl, threads });
    await using _server = server;
    const other = await otherTeam(databaseUrl);
    await sent(
      `${server.url}/api/publisher/add`,
      other,
      Buffer.from(JSON.stringify({ Publisher: publisher('o') })),
    );
    const body = listBody();
    const before = server.residentBytes();
    let peak = before;
    const sampler = setInterval(() => {
      peak = Math.max(peak, server.residentBytes());
    }, sampleEveryMs);
    let isOver = false;
    const beginMs = performance.now();
    const fetching = fetches(server.url, other, () => isOver);
    const refusals = await Promise.all(
      Array.from({ length: uploads }, () => upload(server.url, api.headers, body)),
    );
    isOver = true;
    const takenMs = await fetching;
    const seconds = (performance.now() - beginMs) / 1000;
    clearInterval(sampler);
    return [
      {
        title: `${uploads} lists of 60 MiB at once`,
        targets: [
          { what: 'memory', value: peak / 1e6, unit: 'megabytes', atMost: bounds.memoryMegabytes },
          {
            what: "another team's slowest fetch",
            value: Math.max(...takenMs),
            unit: 'milliseconds',
            atMost: bounds.fetchMs,
          },
        ],
        details: [
          { what: 'p99', value: percentile(takenMs, 0.99), unit: 'milliseconds' },
          { what: 'fetches', value: takenMs.length, unit: 'count' },
          { what: 'memory before', value: before / 1e6, unit: 'megabytes' },
          { what: 'all took', value: seconds * 1000, unit: 'milliseconds' },
          { what: '503', value: refusals.reduce((sum, one) => sum + one, 0), unit: 'count' },
        ],
      },
    ];
  },
};
