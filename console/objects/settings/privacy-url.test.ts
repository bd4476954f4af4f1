import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isUnfilled } from '../../../src/protocols/unfilled.ts';
import { type PrivacyCaller, privacyCallers, withPrivacy } from './privacy-url.ts';

const url = 'https://ads.example/vast?zone=1&auth=a&ip={ip}';
const callers = Object.keys(privacyCallers) as PrivacyCaller[];

describe('the URL with privacy signals', () => {
  for (const caller of callers) {
    test(`${caller}: is the one handed out with more parameters, which count as absent if nobody fills them`, () => {
      const shown = withPrivacy(url, caller, 0);
      assert.ok(shown.startsWith(`${url}&gdpr=`));
      const added = new URLSearchParams(shown.slice(url.length));
      assert.ok(added.size >= 5);
      for (const [name, macro] of added) assert.ok(isUnfilled(macro), `${name}=${macro}`);
    });
  }

  test('names the vendor that receives it, if known', () => {
    const shown = withPrivacy(url, 'Google Ad Manager', 1234);
    for (const name of ['GDPR_CONSENT_1234', 'GPP_STRING_1234'])
      assert.ok(shown.includes(`{${name}}`), shown);
    assert.ok(withPrivacy(url, 'Google Ad Manager', 0).includes('{GDPR_CONSENT}'));
  });
});
