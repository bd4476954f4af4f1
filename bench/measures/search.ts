import { join } from 'node:path';
import { writeConfiguration } from '../data/write-configuration.ts';
import type { Measure } from '../measure.ts';
import type { Figure, Row } from '../row.ts';
import { startBourse } from '../servers/bourse.ts';
import { median } from '../speed.ts';

const demandObjects = 100_000;
const listLines = 1_000_000;
const atMost = 100;

/** What is looked for: texts that nearly all objects have, few have, and none has. */
const queries: readonly (readonly [what: string, query: string])[] = [
  ['a name of many', 'video'],
  ['one name', 'autumn 77777'],
  ['part of a URL', 'eu.dsp.example'],
  ['a line of a list', 'site-3959500.example-15.com'],
  ['an address', '11.5.5.7'],
  ['nothing', 'nowhere at all'],
];

const candidates = '/api/ortb/vasttag/connected?Id=1&Field=DspVastTags';
const pages: readonly (readonly [what: string, path: string])[] = [
  ['first page', candidates],
  ['by name', `${candidates}&Query=autumn+777`],
];

/** Searches, and the objects that a field could name, among 100,000 objects and a million lines of lists. */
export const search: Measure = {
  name: 'search',
  async run({ folder, rounds }) {
    const path = join(folder, 'search.db');
    await writeConfiguration(path, { demandObjects, listLines });
    const { server, api } = await startBourse(folder, { threads: 1, databaseUrl: `sqlite:${path}` });
    await using _server = server;
    /** Waits for answers, and the processor time of the server, which does not count what else the machine does. */
    const figures = async (what: string, of: string, afterChange: boolean): Promise<readonly Figure[]> => {
      const waits: number[] = [];
      let cpuSeconds = 0;
      for (let round = 0; round < rounds; round += 1) {
        if (afterChange) await api.add('tag', 'Tag', { Name: `Anew ${round}` });
        const [start, cpuStart] = [performance.now(), server.cpuSeconds()];
        await api.get(of);
        waits.push(performance.now() - start);
        cpuSeconds += server.cpuSeconds() - cpuStart;
      }
      const onCore = {
        what: 'on a core',
        value: (cpuSeconds / rounds) * 1000,
        unit: 'milliseconds',
      } as const;
      return [{ what, value: median(waits), unit: 'milliseconds', atMost }, onCore];
    };
    const row = async (title: string, asked: readonly (readonly [string, string])[], afterChange = false) => {
      const targets: Figure[] = [];
      for (const [what, of] of asked) targets.push(...(await figures(what, of, afterChange)));
      return { title, targets, details: [] } satisfies Row;
    };
    const searches = queries.map(
      ([what, query]) => [what, `/api/search?Query=${encodeURIComponent(query)}&Limit=8`] as const,
    );
    const start = performance.now();
    await api.get('/api/search?Query=first');
    const firstMs = performance.now() - start;
    return [
      {
        title: 'The first search after a start',
        targets: [],
        details: [{ what: '', value: firstMs, unit: 'milliseconds' }],
      },
      await row('Search of 100,000 objects', searches),
      await row('Search after a change', searches, true),
      await row('Candidates of a connection, of 100,000', pages),
      await row('Candidates after a change', pages, true),
    ];
  },
};
