import type { Server } from 'node:http';
import type { ExchangeView } from '../management/exchange/exchange.ts';
import { createDemoPages, mockDspPath } from '../simulation/demo/demo-pages.ts';
import type { Demonstration, Store } from '../store/interface.ts';
import { attach } from './attach.ts';

/** How soon a server notices that `bourse demo` has run beside it. */
const noticeMs = 1000;

/** What the server shows of the teams that `bourse demo` has filled; nothing if there is none. */
export interface Demonstrations {
  /** Whether a URL of demand leads to a mock DSP of this server, and so may lead to a private address. */
  isMockDsp(url: string): boolean;
  /** Takes requests for `/demo/…`, while there is a demonstration. */
  attachTo(server: Server, exchange: Pick<ExchangeView, 'auctions'>): void;
  close(): void;
}

type DemonstrationStore = Pick<Store, 'demonstrations'>;

/**
 * Watches for teams that `bourse demo` fills. The demo is a process of its own, so the server learns of them only from
 * the database. Rejects if that cannot be read now; if a later look fails, what was known stays.
 */
export async function watchDemonstrations(store: DemonstrationStore): Promise<Demonstrations> {
  let shown: readonly Demonstration[] = [];
  let prefixes: readonly string[] = [];
  const look = async () => {
    shown = await store.demonstrations();
    prefixes = shown.map(({ url }) => `${url}${mockDspPath}/`);
  };
  await look();
  const timer = setInterval(() => look().catch(() => undefined), noticeMs);
  timer.unref();
  return {
    isMockDsp: (url) => prefixes.some((prefix) => url.startsWith(prefix)),
    attachTo(server, { auctions }) {
      const pages = createDemoPages({
        random: Math.random,
        baseUrl: () => shown[0]?.url ?? '',
        tags: () => shown.flatMap(({ tags }) => tags),
        async auctions(id) {
          const owner = shown.find(({ tags }) => tags.some((tag) => tag.id === id));
          return owner ? await auctions(owner.teamId, { kind: 'VastTag', id }) : [];
        },
      });
      attach(server, (request, response) => shown.length > 0 && pages.handle(request, response));
    },
    close: () => clearInterval(timer),
  };
}
