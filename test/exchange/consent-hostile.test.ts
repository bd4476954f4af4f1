import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defaultTeamSettings } from '../../src/entities/team-settings.ts';
import { createSignalsReader } from '../../src/exchange/consent/privacy-signals.ts';
import { createConsentReader } from '../../src/exchange/consent/viewer-consent.ts';
import { privacyIn, privacyOf } from '../../src/exchange/endpoints/privacy-of.ts';
import type { Privacy } from '../../src/exchange/opportunity.ts';
import { unknownCaller } from '../../src/exchange/reading/caller.ts';
import { zoneQuery } from '../../src/exchange/reading/query.ts';
import { teamOf } from '../../src/exchange/team.ts';
import { asBidRequest } from '../../src/protocols/openrtb/read-bid-request.ts';
import { allPurposes, consentString } from './consent-string.ts';
import { requestOf, videoImp } from './rtb-room.ts';

const nothingSaid: Privacy = privacyIn({ id: '1', imp: [] }, undefined);
const saying = (said: Partial<Privacy>) => ({ privacy: { ...nothingSaid, ...said }, country: '' });
const nowhere: ReadonlySet<string> = new Set();
const settings = teamOf(defaultTeamSettings).consent;
const whole = consentString({ purposes: allPurposes, vendors: [755] });
/** A GPP string with such a section 2 alone. */
const gppOf = (tcf: string) => `DBABMA~${tcf}`;
/** As long as one may be, and each another: what is behind the last member is not read. */
const longString = (number: number) => `${whole}${`g${number}_`.padEnd(16_000, 'A')}`;

test('a section that is named a thousand times is read once', () => {
  const sections = createSignalsReader()(
    saying({ gpp: gppOf(longString(1)), gppSid: Array(1000).fill(2) }),
    nowhere,
  );
  assert.deepEqual([sections.strings.length, sections.unreadable], [1, []]);
});

test('a string with more behind it is none', () => {
  const { unreadable } = createSignalsReader()(saying({ gpp: `${gppOf(whole)} x`, gppSid: [2] }), nowhere);
  assert.deepEqual(unreadable, ['gpp']);
});

test('texts that cannot be consent strings push out none that are', () => {
  const signalsOf = createSignalsReader();
  const read = () =>
    signalsOf(saying({ gdpr: 1, consent: whole, gpp: gppOf(whole), gppSid: [2, 7] }), nowhere).strings;
  const before = signalsOf(saying({ gdpr: 1, consent: whole }), nowhere).strings;
  const sections = read();
  for (let number = 0; number < 20; number += 1) {
    const text = `${number}`.padEnd(500_000, 'x');
    signalsOf(saying({ gdpr: 1, consent: text, gpp: text, gppSid: [7] }), nowhere);
  }
  assert.equal(signalsOf(saying({ gdpr: 1, consent: whole }), nowhere).strings[0], before[0]);
  assert.equal(read()[0], sections[0]);
});

test('of many long strings no more stays in memory than the bound permits', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const consents = createConsentReader({ of: () => undefined });
  const bytesHeld = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = bytesHeld();
  for (let number = 0; number < 4000; number += 1) {
    const asked = saying({ gdpr: 1, consent: longString(number) });
    assert.equal(consents.of(asked, settings, false).withheldFrom(755), 8 | 16);
  }
  const megabytes = (bytesHeld() - before) / 2 ** 20;
  assert.ok(megabytes < 20, `${megabytes} MB`);
  assert.equal(consents.of(saying({}), settings, false).state, 'not_required');
});

describe('an opt-out in one of two places counts', () => {
  const cases = [
    ['an empty text', { us_privacy: '', ext: { us_privacy: '1YYN' } }, { usPrivacy: '1YYN' }],
    ['an empty list', { gpp: '', gpp_sid: [], ext: { gpp: 'x', gpp_sid: [7] } }, { gpp: 'x', gppSid: [7] }],
    ['an unfilled macro', { us_privacy: '{us_privacy}', ext: { us_privacy: '1YYN' } }, { usPrivacy: '1YYN' }],
    ['null', { gdpr: null, ext: { gdpr: 1 } }, { gdpr: 1 }],
    ['both, of which 2.6 counts', { gdpr: 0, us_privacy: '1YYN', ext: { gdpr: 1, us_privacy: '1YNN' } }, { gdpr: 0, usPrivacy: '1YYN' }],
  ] as const; // biome-ignore format: a table
  for (const [name, regs, said] of cases) {
    test(`in the other is ${name}`, () => {
      const read = asBidRequest(requestOf([videoImp], { regs }));
      assert.ok('request' in read);
      assert.deepEqual(privacyIn(read.request, undefined), { ...nothingSaid, ...said });
    });
  }

  const urls = [
    ['an unfilled macro before it', 'gdpr={gdpr}&gdpr=1&us_privacy=[US_PRIVACY]&us_privacy=1YYN', { gdpr: 1, usPrivacy: '1YYN' }],
    ['a section behind a hundred others', `gpp=x&gpp_sid=${'9,'.repeat(150)}7`, { gpp: 'x', gppSid: [9, 7] }],
  ] as const; // biome-ignore format: a table
  for (const [name, query, said] of urls)
    test(`in a URL: ${name}`, () =>
      assert.deepEqual(privacyOf(zoneQuery(`/vast?${query}`), unknownCaller), { ...nothingSaid, ...said }));
});
