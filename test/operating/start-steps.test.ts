import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import type { FirstAdministrator } from '../../src/identity/people.ts';
import { type StartStep, startBourse, startSteps } from '../../src/main.ts';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import { runToEnd } from '../spawned-server.ts';
import { freePort } from '../support/free-port.ts';
import { pause } from '../support/pause.ts';
import { tokenOf } from '../support/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-start-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const environmentOf = (database: string): NodeJS.ProcessEnv => ({
  ...process.env,
  BOURSE_PORT: '0',
  BOURSE_DATABASE_URL: `sqlite:${join(folder, database)}`,
});
const halting = join(import.meta.dirname, 'halting-start.ts');
const program = join(import.meta.dirname, '..', '..', 'bin', 'bourse.js');

describe('a start that is told to stop ends with 0', { concurrency: 1 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    for (const [index, step] of startSteps.entries()) {
      test(`${signal} at ${step}`, async () => {
        const env = environmentOf(`${signal}-${step}.db`);
        const { output, ...ending } = await runToEnd(process.execPath, [halting, step, signal, '2'], { env });
        assert.deepEqual(ending, { code: 0, signal: null }, output);
        for (const before of startSteps.slice(0, index + 1))
          assert.match(output, new RegExp(`^step: ${before}$`, 'm'));
        assert.match(output, new RegExp(`"signal":"${signal}","msg":"stopping"`));
        const starts = output.matchAll(/"thread":0.*"msg":"thread serves"/g);
        const stops = output.matchAll(/"thread":0.*"msg":"thread stopped"/g);
        assert.equal([...starts].length, [...stops].length, output);
      });
    }
  }

  // None of these is open yet, or all that is; the flag keeps the launcher from beginning again with it.
  for (const module of ['cli/main.ts', 'cli/serve.ts', 'src/main.ts', 'dialects/sqlite.ts', 'geo-ip.ts']) {
    test(`SIGTERM as ${module} is loaded`, async () => {
      const env = { ...environmentOf(`${module.replaceAll('/', '-')}.db`), TEST_KILL_AT: module };
      const preload = ['--import', join(import.meta.dirname, 'kill-at-load.ts')];
      const args = [...preload, '--max-semi-space-size=16', program, 'serve', '--threads', '1'];
      const { code, signal, output } = await runToEnd(process.execPath, args, { env });
      assert.deepEqual({ code, signal }, { code: 0, signal: null }, output);
    });
  }
});

/** The status that a path has, asked again and again from before anyone listens. */
async function firstAnswer(url: string): Promise<number> {
  for (;;) {
    const call = request(url, { agent: false }).end();
    const answer = await once(call, 'response').catch(() => undefined);
    if (answer) return answer[0].resume().statusCode;
    await pause();
  }
}

describe('whoever is answered can be served', () => {
  for (const path of ['/healthz', '/readyz']) {
    test(`a login right after the first answer of ${path}`, async () => {
      const password = 'correct horse battery';
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const { serve } = bourseProcess();
      const serving = serve({ BOURSE_PORT: String(port), BOURSE_ADMIN_PASSWORD: password });
      assert.equal(await firstAnswer(url + path), 200);
      const token = await tokenOf(url, 'admin@localhost', password);
      assert.ok(token.length > 0);
      await stopped(await serving);
    });
  }
});

test('where the port is taken during the start, the password was told that the next start goes on with', async (t) => {
  const { config } = readConfig({});
  const port = await freePort();
  const databaseUrl = `sqlite:${join(folder, 'taken.db')}`;
  const told: FirstAdministrator[] = [];
  const rival = createServer();
  const options = {
    logger: pino({ level: 'silent' }),
    onAdministrator: (administrator: FirstAdministrator) => void told.push(administrator),
  };
  const onStep = (step: StartStep) => {
    if (step === 'listening') rival.listen(port, '127.0.0.1');
  };
  const starting = startBourse({ ...config, port, databaseUrl }, { ...options, onStep });
  await assert.rejects(starting, /^Error: BOURSE_PORT: port \d+ of 127\.0\.0\.1 is in use/);
  rival.close();
  const bourse = await startBourse({ ...config, port: 0, databaseUrl }, options);
  t.after(bourse.close);
  const [administrator, ...others] = told;
  assert.deepEqual(others, []);
  await tokenOf(bourse.url, administrator?.mail ?? '', administrator?.generatedPassword ?? '');
});
