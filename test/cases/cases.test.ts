import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { furnish } from '../exchange/exchange-room.ts';
import { startMockDsp } from '../exchange/mock-dsp.ts';
import { ipv4Bits, mmdbFile } from '../exchange/reading/mmdb-file.ts';
import { ratesRead, today, writeRates } from '../support/rates.ts';
import { startTestServer } from '../support/server.ts';
import { arrange, type CaseObjects, type Stage } from './arrange-case.ts';
import { type Case, caseIn, caseSchema, readCase } from './case.ts';
import { assertCounted, assertNothingLater } from './counted.ts';
import { play } from './play-case.ts';

const root = import.meta.dirname;
const files = globSync('**/*.yaml', { cwd: root }).toSorted();
const flushMs = 250;
const playedAtOnce = 4;

/** A case that is configured, and was played. */
interface PlayedCase {
  readonly played: Case;
  readonly objects: CaseObjects;
}

describe('cases', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-cases-'));
  const geoIpDatabase = join(folder, 'country.mmdb');
  /** Why a case cannot be played stays with it. */
  const configured = new Map<string, PlayedCase | Error>();
  let stage: Stage;

  const configure = async (file: string, number: number): Promise<PlayedCase | Error> => {
    try {
      const played = caseIn(join(root, file));
      return { played, objects: await arrange(stage, played, number) };
    } catch (error) {
      return new Error(`test/cases/${file}: ${error instanceof Error ? error.message : error}`);
    }
  };
  before(async () => {
    // 203.0.113.0/24 is German; no other address has a country.
    writeFileSync(geoIpDatabase, mmdbFile([[ipv4Bits('203.0.113.0', 24), { country: { iso_code: 'DE' } }]]));
    const ratesFile = writeRates(folder, today());
    const changes = { allowPrivateDemand: true, geoIpDatabase, ratesFile };
    const server = await startTestServer(changes, undefined, { flushMs });
    const [room, dsp] = await Promise.all([furnish(server), startMockDsp()]);
    await ratesRead(server.url);
    stage = { room, dsp };
    await Promise.all(files.map(async (file, number) => configured.set(file, await configure(file, number))));
    await room.served();
  });
  after(async () => {
    await Promise.all([stage.room.close(), stage.dsp.close()]);
    rmSync(folder, { recursive: true });
  });

  const caseOf = (file: string): PlayedCase => {
    const found = configured.get(file) ?? assert.fail(file);
    if (found instanceof Error) throw found;
    return found;
  };
  const [isPlayed, isCounted] = [new Set<string>(), new Set<string>()];
  describe('played', { concurrency: playedAtOnce }, () => {
    for (const file of files) {
      test(file, async () => {
        const { played, objects } = caseOf(file);
        await play(stage, played, objects);
        isPlayed.add(file);
      });
    }
  });
  describe('counted', { concurrency: playedAtOnce }, () => {
    for (const file of files) {
      test(file, async (context) => {
        if (!isPlayed.has(file)) return context.skip('not played');
        const { played, objects } = caseOf(file);
        await assertCounted(stage, played, objects);
        isCounted.add(file);
      });
    }
  });
  test('nothing is counted or noticed later', async () => {
    for (const file of isCounted) {
      const { played, objects } = caseOf(file);
      await assertNothingLater(stage, played, objects).catch((error) => {
        throw new Error(`test/cases/${file}`, { cause: error });
      });
    }
  });
});

/** Names of all properties of a schema, at any depth. */
function keysIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => [
    ...(name === 'properties' ? Object.keys(value) : []),
    ...keysIn(value),
  ]);
}

test('README has every key', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const absent = keysIn(caseSchema).filter((key) => !text.includes(`\`${key}\``));
  assert.deepEqual([...new Set(absent)], []);
});

describe('a case that cannot be read says what is wrong', () => {
  const least = 'shows: x\nsupply: { VastTag: {} }\ndemand: { film: { Campaign: {} } }\ncounts: {}\n';
  const faults: readonly (readonly [text: string, says: RegExp])[] = [
    [`${least}won: film\nwins: film`, /additional properties wins/],
    [`${least}won: other`, /no demand of the case is called "other"/],
    [`${least}won: film\ncalled: [film]`, /"film" is called, and has no answers/],
    [`${least}`, /say who has won/],
    [`${least}outcome: lost\nanswer: { contain: [a] }`, /\/answer .* contain/],
    ['shows: x', /required property/],
  ];
  for (const [text, says] of faults) test(says.source, () => assert.throws(() => readCase(text), says));
});
