import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readClickHouseUrl } from '../../src/reference/clickhouse-address.ts';
import { type Child, startChild } from '../store/child.ts';

const user = 'bourse';
const password = 'p%w';

/** A ClickHouse for tests: the engine itself, in a process of its own. */
export interface TestClickHouse {
  /** As `BOURSE_ANALYTICS_URL` has it. */
  url(): string;
  /** Ends it at once, as a failing machine would (`kill -9`). */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
  /** Does the next insertions of rows, and loses their answers. */
  loseAnswers(count: number): Promise<void>;
  /** The first row of a query's answer. */
  row(query: string): Promise<readonly unknown[]>;
  remove(): Promise<void>;
}

/** Starts one on fresh data. */
export async function startClickHouse(): Promise<TestClickHouse> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-clickhouse-'));
  let port = '0';
  let child: Child | undefined;
  const start = async () => {
    const arguments_ = [join(folder, 'data'), port, user, password];
    child = startChild(new URL('./engine-process.ts', import.meta.url), arguments_);
    port = await child.line();
  };
  const kill = async () => {
    child?.process.kill('SIGKILL');
    await child?.ended;
  };
  await start();
  return {
    start,
    kill,
    url: () => `clickhouse://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/default`,
    async loseAnswers(count) {
      child?.say(`lose ${count}`);
      await child?.line();
    },
    async row(query) {
      const answer = await fetch(
        `http://127.0.0.1:${port}/?query=${encodeURIComponent(`${query} FORMAT JSONCompactEachRow`)}`,
        {
          headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
        },
      );
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return JSON.parse(text.split('\n', 1)[0] || '[]');
    },
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The address that a URL names, which tests know to be right. */
export function addressOf(url: string) {
  const address = readClickHouseUrl(url);
  if (!address) throw new Error(`${url} is no URL of a ClickHouse`);
  return address;
}
