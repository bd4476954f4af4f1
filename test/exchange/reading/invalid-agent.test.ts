import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InvalidAgent } from '../../../src/exchange/opportunity.ts';
import { invalidAgentOf } from '../../../src/exchange/reading/invalid-agent.ts';
import { createUserAgentReader } from '../../../src/exchange/reading/user-agent.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const chrome = (platform: string, version = '144.0.0.0') =>
  `Mozilla/5.0 (${platform}) ${webkit} Chrome/${version} Safari/537.36`;
const safari = (platform: string, version = '26.0') =>
  `Mozilla/5.0 (${platform}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`;

const agents: readonly (readonly [name: string, agent: string, invalid: InvalidAgent | undefined])[] = [
  ['Chrome on Windows', chrome('Windows NT 10.0; Win64; x64'), undefined],
  ['Chrome of the next years', chrome('Windows NT 10.0; Win64; x64', '190.0.0.0'), undefined],
  ['Chrome on a Mac', chrome('Macintosh; Intel Mac OS X 10_15_7'), undefined],
  ['Chrome on Android', chrome('Linux; Android 16; Pixel 9'), undefined],
  ['Safari on an iPhone', safari('iPhone; CPU iPhone OS 18_6 like Mac OS X'), undefined],
  ['Safari on an iPad', safari('iPad; CPU OS 16_6 like Mac OS X'), undefined],
  [
    'Internet Explorer on Windows Phone',
    'Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Trident/7.0; Touch; rv:11.0; IEMobile/11.0; NOKIA; Lumia 520) like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 (KHTML, like Gecko) Mobile Safari/537',
    undefined,
  ],
  ['a Roku', 'Roku/DVP-9.10 (519.10E04111A)', undefined],
  [
    'a media player of iOS',
    'AppleCoreMedia/1.0.0.21A329 (iPhone; U; CPU OS 17_0 like Mac OS X; en_us)',
    undefined,
  ],
  ['an Android app', 'Dalvik/2.1.0 (Linux; U; Android 14; SM-G960F)', undefined],
  ['a crawler', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'known_bot'],
  [
    'a headless browser',
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/144.0.0.0 Safari/537.36`,
    'known_bot',
  ],
  ['a library of HTTP', 'python-requests/2.31.0', 'known_bot'],
  ['another', 'Go-http-client/2.0', 'known_bot'],
  ['monitoring', 'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)', 'known_bot'],
  ['an iPhone with Windows', safari('iPhone; Windows NT 10.0; Win64; x64'), 'impossible_agent'],
  ['Android on a Mac', chrome('Macintosh; Android 14'), 'impossible_agent'],
  ['a Chrome that does not exist', chrome('Windows NT 10.0; Win64; x64', '999.0.0.0'), 'impossible_agent'],
  [
    'a Safari that does not exist',
    safari('iPhone; CPU iPhone OS 18_6 like Mac OS X', '90.1'),
    'impossible_agent',
  ],
  ['an iOS that does not exist', safari('iPhone; CPU iPhone OS 99_0 like Mac OS X'), 'impossible_agent'],
  ['an Android that does not exist', chrome('Linux; Android 77; Pixel 9'), 'impossible_agent'],
  ['a Windows that does not exist', chrome('Windows NT 12.0; Win64; x64'), 'impossible_agent'],
];

describe('invalid user agents', () => {
  const read = createUserAgentReader();
  for (const [name, agent, invalid] of agents) {
    test(name, () => assert.equal(read(agent).invalid, invalid));
  }

  test('whoever asks for himself has one', () => {
    const of = (lacksUserAgent: boolean) => invalidAgentOf({ lacksUserAgent }, '', read(''));
    assert.deepEqual([of(true), of(false)], ['impossible_agent', undefined]);
  });
});
