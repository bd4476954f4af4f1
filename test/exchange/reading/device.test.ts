import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type DeclaredDevice, deviceOf } from '../../../src/exchange/reading/device.ts';
import { createUserAgentReader } from '../../../src/exchange/reading/user-agent.ts';
import { isBrowserFamily, isOsFamily } from '../../../src/reference/user-agent-families.ts';
import { seeded } from '../../support/seed.ts';

const agents = {
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  windows7: 'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  ipad: 'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  roku: 'Roku/DVP-9.10 (519.10E04111A)',
  bot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
};

const undeclared: DeclaredDevice = {
  os: '',
  osVersion: '',
  type: 0,
  make: '',
  model: '',
  language: '',
  ifa: '',
};
const hints = (brand: string, version: string[], ...brands: [string, string][]) => ({
  structured: {
    platform: { brand, version },
    browsers: brands.map(([name, major]) => ({ brand: name, version: [major] })),
  },
});

type Row = readonly [
  what: string,
  agent: string,
  declared: Partial<DeclaredDevice>,
  os: string,
  browser: string,
  types: readonly number[],
];

const rows: readonly Row[] = [
  ['Windows by the name people know', agents.windows, {}, 'Windows/10/', 'Chrome/126/0', [2]],
  ['an older Windows', agents.windows7, {}, 'Windows/7/', 'Internet Explorer/11/0', [2]],
  ['a Mac', agents.mac, {}, 'macOS/10/15', 'Safari/17/5', [2]],
  ['a phone is a mobile device too', agents.iphone, {}, 'iOS/17/5', 'Safari/17/5', [1, 4]],
  ['a tablet too', agents.ipad, {}, 'iOS/17/5', 'Safari/17/5', [1, 5]],
  ['a television', agents.roku, {}, 'Roku/9/10', 'Roku/9/10', [3]],
  ['no agent', '', {}, '//', '//', []],
  ['an agent that says nothing', 'x', {}, '//', '//', []],
  ['a declared version', agents.android, { osVersion: '13.1.2' }, 'Android/13/1', 'Chrome/126/0', [1, 4]],
  ['a declared system with its version', '', { os: 'ios', osVersion: '16.4' }, 'iOS/16/4', '//', []],
  ['a declared system with its version in its name', '', { os: 'Windows 10' }, 'Windows/10/', '//', []],
  [
    'a declared system with its version in both',
    '',
    { os: 'iOS 17', osVersion: '17.5' },
    'iOS/17/5',
    '//',
    [],
  ],
  ['a declared system whose name ends in a number', '', { os: 'PlayStation 4' }, 'PlayStation 4//', '//', []],
  [
    'a system that nobody knows says nothing of another',
    agents.iphone,
    { os: 'Foo 12' },
    'iOS/17/5',
    'Safari/17/5',
    [1, 4],
  ],
  ['a declared system of a TV', '', { os: 'Android TV', osVersion: '12' }, 'Android/12/', '//', []],
  ['a declared system by another name', '', { os: 'Mac OS X' }, 'macOS//', '//', []],
  ['a declared system against the agent', agents.android, { os: 'Tizen' }, 'Tizen//', 'Chrome/126/0', [1, 4]],
  [
    'a declared system that is none',
    agents.android,
    { os: '__proto__' },
    'Android/14/',
    'Chrome/126/0',
    [1, 4],
  ],
  ['a declared type', agents.android, { type: 3 }, 'Android/14/', 'Chrome/126/0', [3]],
  ['a declared phone', '', { type: 4 }, '//', '//', [1, 4]],
  ['a declared tablet', '', { type: 5 }, '//', '//', [1, 5]],
  ['a declared set-top box', '', { type: 7 }, '//', '//', [7]],
  ['a hint of a mobile device', '', { structured: { mobile: 1 } }, '//', '//', [1]],
  ['a hint of none', '', { structured: { mobile: 0 } }, '//', '//', []],
  ['a version of no system', '', { osVersion: '13.1' }, '//', '//', []],
  ['the general type made exact', agents.ipad, { type: 1 }, 'iOS/17/5', 'Safari/17/5', [1, 5]],
  ['the general type against the agent', agents.windows, { type: 1 }, 'Windows/10/', 'Chrome/126/0', [1]],
  ['a type that is none', agents.windows, { type: 99 }, 'Windows/10/', 'Chrome/126/0', [2]],
  [
    'client hints',
    agents.windows,
    hints('Windows', ['15', '0', '0'], ['Not A', '8'], ['Chromium', '126'], ['Microsoft Edge', '127']),
    'Windows/11/',
    'Microsoft Edge/127/',
    [2],
  ],
  [
    'a hint of a Windows before 11',
    agents.windows7,
    hints('Windows', ['12', '0']),
    'Windows/10/',
    'Internet Explorer/11/0',
    [2],
  ],
  [
    'a hint of an older Windows, which does not tell which',
    agents.windows7,
    hints('Windows', ['0', '1']),
    'Windows/7/',
    'Internet Explorer/11/0',
    [2],
  ],
  [
    'hints that name Chromium alone',
    agents.android,
    hints('Android', ['15'], ['Chromium', '126']),
    'Android/15/',
    'Chrome/126/0',
    [1, 4],
  ],
];

const shown = ({ family, major, minor }: { family: string; major: string; minor: string }) =>
  `${family}/${major}/${minor}`;

describe('devices', () => {
  const read = createUserAgentReader();
  for (const [what, agent, values, os, browser, types] of rows) {
    test(what, () => {
      const device = deviceOf(read(agent), { ...undeclared, ...values });
      assert.deepEqual([shown(device.os), shown(device.browser), device.types], [os, browser, types]);
    });
  }

  test('make and model are declared, hinted, or those of the agent', () => {
    const structured = { model: 'Pixel 9' };
    const rows: readonly Partial<DeclaredDevice>[] = [
      {},
      { structured },
      { structured, make: 'A', model: 'B' },
    ];
    assert.deepEqual(
      rows
        .map((values) => deviceOf(read(agents.iphone), { ...undeclared, ...values }))
        .map(({ make, model }) => [make, model]),
      [
        ['Apple', 'iPhone'],
        ['Apple', 'Pixel 9'],
        ['A', 'B'],
      ],
    );
  });

  test('the same agent gives the same object', () => {
    assert.equal(read(agents.mac), read(`${agents.mac}`));
  });

  test('no text breaks the reader, and families are those of the catalogues', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom(...Object.values(agents)),
        (text, agent) => {
          for (const each of [text, agent + text, text + agent]) {
            const { os, browser } = read(each);
            assert.ok(os.family === '' || isOsFamily(os.family));
            assert.ok(browser.family === '' || isBrowserFamily(browser.family));
          }
        },
      ),
      seeded(200),
    );
    assert.equal(read(`${agents.mac}${'x'.repeat(100_000)}`).os.family, 'macOS');
  });
});
