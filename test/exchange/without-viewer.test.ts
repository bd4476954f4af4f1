import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutViewer } from '../../src/exchange/explain/without-viewer.ts';
import { parseIpAddress } from '../../src/exchange/reading/ip-address.ts';
import { opportunityWith, unrestrictedDemand } from './unrestricted.ts';

const original = {
  request: {
    device: { ifa: 'ifa-of-viewer', language: 'de', geo: { lat: 52.5243, zip: '10115', city: 'Berlin' } },
    user: { yob: 1987, gender: 'F', eids: [{ source: 'id.example', uids: [{ id: 'eid "of" <viewer>' }] }] },
  },
  imp: {},
};
const opportunity = opportunityWith({
  ip: parseIpAddress('203.0.113.77'),
  userId: 'user',
  viewerIdsOf: () => ({ buyeruid: 'id-at-partner' }),
  userAgent: 'Browser/5 (Linux)',
  privacy: { consent: 'CPxx', gpp: '', usPrivacy: '1YYN', gppSid: [], hasGpc: false, ...nothingSaid() },
  original,
});

function nothingSaid() {
  return { coppa: undefined, gdpr: undefined, limitAdTracking: undefined };
}

const cases = [
  ['what tells of nobody', '<VAST version="4.0"> de Berlin F', '<VAST version="4.0"> de Berlin F'],
  ['values', 'ip=203.0.113.77 id-at-partner ifa-of-viewer 10115 52.5243 1987 1YYN CPxx', 'ip=… … … … … … … …'],
  ['in URLs', 'https://dsp.example/?ua=Browser%2F5%20(Linux)&e=eid%20%22of%22%20%3Cviewer%3E', 'https://dsp.example/?ua=…&e=…'],
  ['in JSON', '{"id":"eid \\"of\\" <viewer>"}', '{"id":"…"}'],
  ['in markup', '<p>eid "of" &lt;viewer&gt;</p>', '<p>…</p>'],
] as const; // biome-ignore format: a table

for (const [name, text, shown] of cases)
  test(`of a viewer, a partner's text shows nothing: ${name}`, () =>
    assert.equal(withoutViewer(text, opportunity, unrestrictedDemand('DspRtbEp')), shown));
