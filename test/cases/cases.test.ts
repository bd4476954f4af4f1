import assert from 'node:assert/strict';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type MockDsp, startMockDsp } from '../exchange/mock-dsp.ts';
import { ipv4Bits, mmdbFile } from '../exchange/reading/mmdb-file.ts';
import { openVastRoom, type VastRoom } from '../exchange/vast-room.ts';
import { caseIn, readCase } from './case.ts';
import { type Arranged, arrange, assertCounted, play } from './play-case.ts';

const root = import.meta.dirname;
const cases = globSync('**/*.yaml', { cwd: root })
  .toSorted()
  .map((file) => ({ file, read: () => caseIn(join(root, file)) }));

describe('cases', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-cases-'));
  const geoIpDatabase = join(folder, 'country.mmdb');
  const arranged: Arranged[] = [];
  let room: VastRoom;
  let dsp: MockDsp;

  before(async () => {
    // 203.0.113.0/24 is German; no other address has a country.
    writeFileSync(geoIpDatabase, mmdbFile([[ipv4Bits('203.0.113.0', 24), { country: { iso_code: 'DE' } }]]));
    [room, dsp] = await Promise.all([openVastRoom({ geoIpDatabase }), startMockDsp()]);
    for (const [number, { file, read }] of cases.entries()) {
      try {
        arranged.push(await arrange({ room, dsp }, read(), number));
      } catch (error) {
        throw new Error(`test/cases/${file}: ${error instanceof Error ? error.message : error}`);
      }
    }
    await room.served();
  });
  after(async () => {
    await Promise.all([room.close(), dsp.close()]);
    rmSync(folder, { recursive: true });
  });

  for (const [at, { file, read }] of cases.entries())
    test(file, () => play({ room, dsp }, read(), arranged[at] ?? assert.fail()));
  for (const [at, { file, read }] of cases.entries())
    test(`${file}: counts`, () => assertCounted({ room, dsp }, read(), arranged[at] ?? assert.fail()));
});

describe('a case that cannot be read says what is wrong', () => {
  const least = 'shows: x\nsupply: { VastTag: {} }\ndemand: { film: { Campaign: {} } }\ncounts: {}\n';
  const faults: readonly (readonly [text: string, says: RegExp])[] = [
    [`${least}won: film\nwins: film`, /additional properties wins/],
    [`${least}won: other`, /no demand of the case is called "other"/],
    [`${least}`, /say who has won/],
    [`${least}outcome: lost\nanswer: { contain: [a] }`, /\/answer .* contain/],
    ['shows: x', /required property/],
  ];
  for (const [text, says] of faults) test(says.source, () => assert.throws(() => readCase(text), says));
});
