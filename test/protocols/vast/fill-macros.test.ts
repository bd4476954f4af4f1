import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fillVastMacros } from '../../../src/protocols/vast/fill-macros.ts';

const values = {
  REGULATIONS: 'coppa,gdpr',
  GDPRCONSENT: 'CPxx.YA',
  GPPSTRING: '',
  GPPSECTIONID: '7',
  LIMITADTRACKING: '0',
};

const cases: readonly (readonly [text: string, filled: string])[] = [
  ['?r=[REGULATIONS]&c=[GDPRCONSENT]', '?r=coppa%2Cgdpr&c=CPxx.YA'],
  ['?s=[GPPSECTIONID]&l=[LIMITADTRACKING]', '?s=7&l=0'],
  ['?g=[GPPSTRING]&u=[USPRIVACY]&e=[ERRORCODE]', '?g=[GPPSTRING]&u=[USPRIVACY]&e=[ERRORCODE]'],
  ['?u=%5BGDPRCONSENT%5D&v=%5bGDPRCONSENT%5d', '?u=CPxx.YA&v=CPxx.YA'],
  ['<![CDATA[https://t.example/?c=[GDPRCONSENT]]]>', '<![CDATA[https://t.example/?c=CPxx.YA]]>'],
  ['<![CDATA[GDPRCONSENT]]>', '<![CDATA[GDPRCONSENT]]>'],
  ['<![CDATA[[GDPRCONSENT]]]>', '<![CDATA[CPxx.YA]]>'],
  ['[gdprconsent] [GDPRCONSENT [ GDPRCONSENT ]', '[gdprconsent] [GDPRCONSENT [ GDPRCONSENT ]'],
];

describe('macros of players', () => {
  for (const [text, filled] of cases) {
    test(`'${text}' becomes '${filled}'`, () => assert.equal(fillVastMacros(text, values), filled));
  }
});
