import { setTimeout as delay } from 'node:timers/promises';
import { createHttpClient, type HttpResult } from '../../simulation/http-client.ts';
import type { DemoTag } from '../../store/interface.ts';

/** Longer than the second after which a server notices a demonstration. */
const showMsMax = 4000;
const askAgainMs = 100;

export interface DemoServerCheck {
  /** What is wrong with the address and what to do; undefined if it shows these tags, which were just stored. */
  warning(tags: readonly DemoTag[]): Promise<string | undefined>;
  close(): Promise<void>;
}

function whyNotBourse(url: string, result: HttpResult): string | undefined {
  if ('failure' in result) return `nothing answers at ${url} (${result.failure})`;
  const isBourse = result.status === 200 && /^\{"Status":"Ok"\}$/.test(result.body);
  return isBourse ? undefined : `the server at ${url} is not Bourse`;
}

function shows(result: HttpResult, tags: readonly DemoTag[]): boolean {
  return 'body' in result && tags.every(({ zoneUrl }) => result.body.includes(JSON.stringify(zoneUrl)));
}

export function createDemoServerCheck(url: string): DemoServerCheck {
  const http = createHttpClient();
  const remedy = 'if the server has another address, run: bourse demo --again --server <url>';
  const isShown = async (tags: readonly DemoTag[]) => {
    const endMs = performance.now() + showMsMax;
    while (performance.now() < endMs) {
      if (shows(await http.call(`${url}/demo/tags`), tags)) return true;
      await delay(askAgainMs);
    }
    return false;
  };
  return {
    async warning(tags) {
      const strange = whyNotBourse(url, await http.call(`${url}/healthz`));
      if (strange !== undefined)
        return `Warning: ${strange}, which is where the demonstration's ads lead. Start the server (bourse serve, or npm start); ${remedy}`;
      if (await isShown(tags)) return undefined;
      return `Warning: the server at ${url} does not show the demonstration: it may serve another database (BOURSE_DATABASE_URL). Otherwise, ${remedy}`;
    },
    close: http.close,
  };
}
