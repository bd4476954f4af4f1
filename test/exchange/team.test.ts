import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultTeamSettings } from '../../src/entities/team-settings.ts';
import { teamOf } from '../../src/exchange/team.ts';

const consentWith = (settings: Partial<typeof defaultTeamSettings> = {}) =>
  teamOf({ ...defaultTeamSettings, ...settings }).consent;

describe('what the exchange reads of the settings of a team', () => {
  test('all is enforced, and GDPR applies in the EEA, the United Kingdom and Switzerland where a request says nothing', () => {
    const { gdprCountries, enforcement, ...others } = consentWith({ GdprDefault: 1 });
    assert.deepEqual(Object.entries(enforcement), [
      ...Array.from({ length: 10 }, (_, at) => [String(at + 1), 'full']),
    ]);
    assert.deepEqual(
      ['DE', 'GB', 'CH', 'RE', 'US', ''].map((code) => gdprCountries.has(code)),
      [true, true, true, true, false, false],
    );
    assert.deepEqual(others, { gvlId: 0, userIdsNeedPurpose4: false, purposeOneCountries: new Set() });
  });

  test('each setting', () => {
    const consent = consentWith({
      GvlId: 42,
      GdprDefault: 1,
      GdprCountries: ['FR'],
      EnforcePurpose2: 1,
      EnforcePurpose7: 2,
      UserIdsNeedPurpose4: 1,
      PurposeOneCountries: ['DE'],
    });
    assert.partialDeepStrictEqual(consent, { gvlId: 42, userIdsNeedPurpose4: true });
    assert.deepEqual([...consent.gdprCountries], ['FR']);
    assert.deepEqual([...consent.purposeOneCountries], ['DE']);
    assert.deepEqual(
      ([1, 2, 7] as const).map((purpose) => consent.enforcement[purpose]),
      ['full', 'basic', 'off'],
    );
  });

  test('by default, GDPR applies nowhere unless a request says so', () => {
    assert.equal(consentWith().gdprCountries.size, 0);
  });
});
