import type { Server } from 'node:http';
import type { ExchangeView } from '../management/exchange/exchange-view.ts';
import { mockDspsOf } from '../reference/demo-paths.ts';
import { createDemoPages } from '../simulation/demo/demo-pages.ts';
import { dayOf } from '../statistics/days.ts';
import { columnsWithoutAmounts } from '../statistics/statistics-columns.ts';
import { rowsByDay } from '../statistics/statistics-rows.ts';
import type { Demonstration, Store } from '../store/interface.ts';
import type { NumberedThread } from '../threads/thread-channel.ts';
import { watchForAll } from '../threads/watched.ts';
import { attachHandler } from './attach-handler.ts';

/** For teams filled by `bourse demo`. */
export interface Demonstrations {
  /** A mock DSP of this server may be at a private address. */
  isMockDsp(url: string): boolean;
  /** For `/demo/…`, while there is a demonstration. */
  attachTo(server: Server, exchange: Pick<ExchangeView, 'auctions'>, now: () => number): void;
  close(): Promise<void>;
}

type DemonstrationStore = Pick<Store, 'demonstrations' | 'statistics'>;

/** Without amounts: anyone can open the page (reference, "Demonstration"). */
async function countedToday({ statistics }: DemonstrationStore, id: number, now: () => number) {
  const today = dayOf(now());
  const rows: object[] = [];
  for await (const some of rowsByDay(statistics, { kind: 'VastTag', id }, { fromDay: today, toDay: today })) {
    for (const row of some) {
      rows.push(Object.fromEntries(columnsWithoutAmounts.map(({ name, of }) => [name, of(row)])));
    }
  }
  return rows;
}

/** Rejects if teams cannot be read now; later failures change nothing. */
export async function watchDemonstrations(
  store: DemonstrationStore,
  threadGroup: NumberedThread,
): Promise<Demonstrations> {
  let shown: readonly Demonstration[] = [];
  let prefixes: readonly string[] = [];
  const close = await watchForAll(threadGroup, 'demonstrations', store.demonstrations, (read) => {
    shown = read;
    prefixes = shown.map(mockDspsOf);
  });
  return {
    isMockDsp: (url) => prefixes.some((prefix) => url.startsWith(prefix)),
    attachTo(server, { auctions }, now) {
      const ownerOf = (id: number) => shown.find(({ tags }) => tags.some((tag) => tag.id === id));
      const pages = createDemoPages({
        random: Math.random,
        baseUrl: () => shown[0]?.url ?? '',
        keys: () => shown.map(({ key }) => key),
        tags: () => shown.flatMap(({ tags }) => tags.map(({ id, name, zoneUrl }) => ({ id, name, zoneUrl }))),
        async auctions(id) {
          const owner = ownerOf(id);
          return owner ? await auctions(owner.teamId, { supply: { kind: 'VastTag', id } }) : [];
        },
        statistics: async (id) => (ownerOf(id) ? await countedToday(store, id, now) : []),
      });
      attachHandler(server, (request, response) => shown.length > 0 && pages.handle(request, response));
    },
    close,
  };
}
