import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'bowser';
import {
  browsers,
  isBrowserFamily,
  isOsFamily,
  operatingSystems,
} from '../../src/reference/user-agent-families.ts';

type Rule = { describe(agent: string): { name?: string } };

/** Bowser's own rules, which its types do not declare; the path is a variable so that `tsc` does not look. */
async function rulesOf(path: string): Promise<readonly Rule[]> {
  const { default: rules }: { default: readonly Rule[] } = await import(path);
  return rules;
}

/** Every name that a rule answers: one rule has two names, the last browser rule takes anything and has none. */
function namesOf(rules: readonly Rule[]): Set<string> {
  const answers = rules.flatMap((rule) => [rule.describe('').name, rule.describe('QQBrowserLite').name]);
  return new Set(answers.flatMap((name) => (name ? [name] : [])));
}

const roku = 'Roku/DVP-9.10 (519.10E04111A)';

test('browsers are what the rules of bowser answer, and Roku, which bowser takes from the agent', async () => {
  const answered = namesOf(await rulesOf('bowser/src/parser-browsers.js'));
  assert.ok(answered.size > 50);
  assert.equal(parse(roku).browser.name, 'Roku');
  const expected = [...answered, 'Roku'].sort();
  assert.deepEqual(
    browsers.map(({ Family }) => Family),
    expected,
  );
});

test('operating systems are what the rules of bowser answer', async () => {
  const answered = namesOf(await rulesOf('bowser/src/parser-os.js'));
  assert.ok(answered.size > 10);
  assert.deepEqual(
    operatingSystems.map(({ Family }) => Family),
    [...answered].sort(),
  );
});

for (const [name, families] of Object.entries({ operatingSystems, browsers })) {
  test(`${name} are sorted and unique`, () => {
    const names = families.map(({ Family }) => Family);
    assert.deepEqual(names, [...new Set(names)].sort());
  });
}

/** User agents as devices send them, and the families that an operator would pick for them. */
const agents: readonly (readonly [os: string, browser: string, agent: string])[] = [
  [
    'Windows',
    'Chrome',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  ],
  [
    'Windows',
    'Microsoft Edge',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.87',
  ],
  ['Windows', 'Internet Explorer', 'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko'],
  [
    'Windows',
    'Opera',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0',
  ],
  [
    'Windows Phone',
    'Microsoft Edge',
    'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15063',
  ],
  [
    'macOS',
    'Safari',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
  ],
  [
    'macOS',
    'Firefox',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0',
  ],
  [
    'iOS',
    'Safari',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  ],
  [
    'iOS',
    'Chrome',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1',
  ],
  [
    'iOS',
    'Opera Touch',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 13_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0.4 Mobile/15E148 Safari/604.1 OPT/2.2.0',
  ],
  [
    'Android',
    'Chrome',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Android',
    'Samsung Internet for Android',
    'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Android',
    'Miui',
    'Mozilla/5.0 (Linux; U; Android 11; en-us; M2012K11AG) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/89.0.4389.116 Mobile Safari/537.36 XiaoMi/MiuiBrowser/12.16.3.1-gn',
  ],
  [
    'Android',
    'Amazon Silk',
    'Mozilla/5.0 (Linux; Android 9; KFMAWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/120.4.1 like Chrome/120.0.6099.199 Safari/537.36',
  ],
  [
    'Chrome OS',
    'Chrome',
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  ],
  ['Linux', 'Firefox', 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'],
  [
    'Tizen',
    'Tizen',
    'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV Safari/537.36',
  ],
  [
    'WebOS',
    'WebOS Browser',
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.79 Safari/537.36 WebAppManager',
  ],
  [
    'PlayStation 4',
    'PlayStation 4',
    'Mozilla/5.0 (PlayStation 4 3.11) AppleWebKit/537.73 (KHTML, like Gecko)',
  ],
  ['Roku', 'Roku', roku],
];

for (const [os, browser, agent] of agents) {
  test(`${browser} on ${os} is in the catalogue`, () => {
    const found = parse(agent);
    assert.deepEqual([found.os.name, found.browser.name], [os, browser]);
    assert.ok(isOsFamily(os));
    assert.ok(isBrowserFamily(browser));
  });
}

test('what bowser takes from an unknown agent is no family', () => {
  const { browser } = parse('AppleCoreMedia/1.0.0.20G75 (iPhone; U; CPU OS 16_6 like Mac OS X; en_us)');
  assert.equal(browser.name, 'AppleCoreMedia');
  assert.equal(isBrowserFamily('AppleCoreMedia'), false);
});

for (const name of ['Generic', 'chrome', 'windows', '', '__proto__', 'constructor']) {
  test(`'${name}' is no family`, () => {
    assert.equal(isBrowserFamily(name), false);
    assert.equal(isOsFamily(name), false);
  });
}
