import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newCandidate } from '../../../src/exchange/auction/auction.ts';
import { newAuction } from '../../../src/exchange/auction/run-auction.ts';
import { settle } from '../../../src/exchange/auction/settle.ts';
import { createConsentReader } from '../../../src/exchange/consent/viewer-consent.ts';
import type { OutboundAnswer } from '../../../src/exchange/demand/demand-kind.ts';
import { kinds } from '../../../src/exchange/demand/kinds.ts';
import type { Outbound } from '../../../src/exchange/demand/outbound.ts';
import { createLimits, limitsMemory } from '../../../src/exchange/limits/create-limits.ts';
import { type Refusal, refuse } from '../../../src/exchange/reasons.ts';
import { macroOf } from '../../../src/protocols/openrtb/macros.ts';
import { bidOf, opportunity, supplyOf } from '../demand/examples.ts';
import { smallSize } from '../limits/limited.ts';
import { vastAd } from '../mock-dsp.ts';
import { unsetTeam } from '../unrestricted.ts';

const adm = vastAd();
const win = `https://dsp.example/win?p=${macroOf('PRICE')}`;
const answered = (status: number, body = adm): OutboundAnswer => ({ status, headers: {}, body });
/** The bidder took so long to bid. */
const tookMs = 120;

/** Settles an auction of one bid without markup, and tells whom it has called and what became of the bid. */
async function settled(answer: OutboundAnswer | Refusal, notice = win) {
  const calls: unknown[] = [];
  const nothing = {
    notify: () => undefined,
    notices: () => assert.fail(),
    paused: () => 0,
    pauseOf: () => undefined,
  };
  const outbound: Outbound = {
    ...nothing,
    close: async () => undefined,
    async call(partner, { url }, deadlineMs) {
      calls.push([partner, url, deadlineMs]);
      return answer;
    },
  };
  const limits = createLimits(limitsMemory({ startMs: 0, ratesFromMs: 0 }, smallSize), () => 0);
  const auction = newAuction(supplyOf('VastTag'), opportunity, {
    limits,
    outbound,
    teamOf: () => unsetTeam,
    consent: createConsentReader({ of: () => undefined }),
    kinds,
    region: 'us-east',
    baseUrl: () => 'https://us-east.example.com',
    now: () => opportunity.timeMs + tookMs,
    random: () => 0,
  });
  const bid = bidOf({ markup: undefined, notices: { win: notice, billing: '', loss: '' } });
  auction.candidates = [{ ...newCandidate(bid.demand), bid, isAsked: true }];
  const refusal = await settle(auction);
  return { calls, refusal, ranking: auction.ranking };
}

describe('markup that answers the win notice', () => {
  const answers: readonly (readonly [what: string, answer: OutboundAnswer | Refusal, refusal?: Refusal])[] = [
    ['with 200', answered(200)],
    ['with another status of success', answered(299)],
    ['with a status before these', answered(199), refuse('invalid_response', { met: 199 })],
    ['with a redirect to nowhere', answered(300), refuse('invalid_response', { met: 300 })],
    ['not in time', refuse('timed_out'), refuse('timed_out')],
  ];
  for (const [what, answer, refusal] of answers) {
    test(`${what}: ${refusal?.reason ?? 'is shown'}`, async () => {
      const outcome = await settled(answer);
      assert.deepEqual(outcome.refusal, refusal);
      const shown = outcome.ranking.map(({ markup, bid }) => [markup, bid.markup, bid.notices.win]);
      assert.deepEqual(shown, refusal ? [] : [[adm, adm, '']]);
      assert.deepEqual(outcome.calls, [
        ['DspRtbEp:7', 'https://dsp.example/win?p=2', opportunity.tmaxMs - tookMs],
      ]);
    });
  }

  test('is judged as other markup is', async () => {
    const { refusal, ranking } = await settled(answered(200, '<VAST'));
    assert.deepEqual([refusal?.reason, ranking], ['invalid_creative', []]);
  });

  test('is not asked for where there is no win notice', async () => {
    const { calls, refusal } = await settled(answered(200), '');
    assert.deepEqual([calls, refusal], [[], refuse('invalid_creative', { wanted: 'adm or nurl' })]);
  });
});
