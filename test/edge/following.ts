import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createAnswerWriter } from '../../src/edge/answer-writer.ts';
import { type ConfigurationCopy, readConfigurationCopy } from '../../src/edge/configuration-copy.ts';
import { createEdgeAsHome } from '../../src/edge/edge-as-home.ts';
import { diskFaultOf, lockEdgeFolder, openEdgeDatabase } from '../../src/edge/edge-database.ts';
import { type Follower, followHome } from '../../src/edge/follower.ts';
import { createHomeClient } from '../../src/edge/home-client.ts';
import { exchangeKindNames } from '../../src/entities/kinds.ts';
import type { ConfigurationFeed } from '../../src/exchange/configuration.ts';
import type { EdgeHome } from '../../src/management/edge/edge-home.ts';

/** A folder that is deleted when the test ends. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-edge-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A follower with what it keeps, and what it has told the log. */
export interface Following {
  readonly kept: ConfigurationCopy;
  readonly home: EdgeHome;
  readonly told: readonly string[];
  close(): Promise<void>;
}

/** Follows a home in a folder, until it is closed or the test ends; waits take `waitMsMax` at most. */
export async function follow(
  t: TestContext,
  folder: string,
  { url, key }: { readonly url: string; readonly key: string },
  more: { readonly waitMsMax?: number; readonly signal?: AbortSignal; readonly now?: () => number } = {},
): Promise<Following> {
  const { waitMsMax = 20, now = Date.now, signal } = more;
  const told: string[] = [];
  const release = lockEdgeFolder(folder, () => told.push('damaged'));
  const database = openEdgeDatabase(folder);
  const copy = readConfigurationCopy(openEdgeDatabase(folder));
  const client = createHomeClient({ url, key });
  const note = (details: object, text: string) => void told.push(`${text}: ${JSON.stringify(details)}`);
  let listener = () => undefined as unknown;
  let follower: Follower | undefined;
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await follower?.close();
    await client.close();
    copy.close();
    database.close();
    release();
  };
  try {
    follower = await followHome({
      url,
      client,
      kept: copy,
      keeper: createAnswerWriter(database),
      log: { warn: note, info: note },
      now,
      signal,
      diskFault: (error) => diskFaultOf(folder, error),
      onNews: () => listener(),
      wait: (ms, ending) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, Math.min(ms, waitMsMax));
          ending.addEventListener('abort', () => resolve(clearTimeout(timer)));
        }),
    });
  } catch (error) {
    await close();
    throw error;
  }
  const onChange: ConfigurationFeed['onChange'] = (one) => {
    listener = one;
    return () => undefined;
  };
  t.after(close);
  return { kept: copy, home: createEdgeAsHome({ kept: copy, onChange, client, now }), told, close };
}

/** All objects of a feed, as JSON has them. */
export async function allIn(feed: Pick<ConfigurationFeed, 'objects'>): Promise<readonly object[]> {
  const objects: object[] = [];
  for (const entity of exchangeKindNames)
    for await (const page of feed.objects(entity)) objects.push(...page);
  return JSON.parse(JSON.stringify(objects));
}

export async function wholeText(parts: AsyncIterable<string | Buffer>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}
