import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { plainHelpOf } from '../../console/build/plain-help.ts';
import { entities } from '../../src/entities/registry.ts';
import { teamSettings } from '../../src/entities/team-settings.ts';
import { vastTag } from '../../src/entities/vast-tag.ts';
import type { Field } from '../../src/fields/field.ts';
import { dimensions, timeUnits } from '../../src/reference/dimensions.ts';
import { measures } from '../../src/reference/measures.ts';
import { ownMember } from '../../src/reference/own-member.ts';
import { titleOf, titles } from '../../src/reference/titles.ts';

const forms: readonly { readonly key: string; readonly fields: Readonly<Record<string, Field>> }[] = [
  ...entities,
  { key: 'Team', fields: teamSettings },
];
const counted = [...Object.keys(measures), ...Object.keys(dimensions), ...timeUnits];
const names = new Set([...forms.flatMap(({ fields }) => Object.keys(fields)), ...counted]);

const wordsMax = 5;
/** Words of the API that the trade spells in another way, and IDs of what the form shows by name. */
const unspelled = /[a-z][A-Z]|\b(Id|Ids|Cpm|Cpc|Qps|Url|Urls|Vast|Rtb|Dsp|Iab|Ip|Ua|Ivt|Tmax|Plcmt)\b/;

describe('the title of a field', () => {
  for (const { key, fields } of forms) {
    test(`${key}: is another one for each`, () => {
      const all = Object.keys(fields).map(titleOf);
      assert.deepEqual([...new Set(all)], all);
    });
  }

  test('is a phrase of a few plain words', () => {
    const spelled = ['IPv6', 'JavaScript', 'eCPM', 'rCPM'];
    const isBad = (title: string) => {
      const plain = spelled.reduce((left, word) => left.replace(word, ''), title);
      return title === '' || title.split(' ').length > wordsMax || unspelled.test(plain);
    };
    assert.deepEqual([...names].map(titleOf).filter(isBad), []);
  });

  test('is written down only for names that exist, and only if their words are not enough', () => {
    assert.deepEqual(
      Object.keys(titles).filter((name) => !names.has(name)),
      [],
    );
  });

  const phrases = [
    ['DspVastTags', 'DSP VAST tags'],
    ['PublisherId', 'Publisher'],
    ['AppStoreUrl', 'App store URL'],
    ['Ecpm', 'eCPM'],
    ['LatencyP95', 'Latency p95'],
    ['constructor', 'constructor'],
    ['site_url', 'site_url'],
  ] as const;
  for (const [name, phrase] of phrases)
    test(`${name} → ${phrase}`, () => assert.equal(titleOf(name), phrase));
});

describe('the help in a form', () => {
  for (const { key, fields } of forms) {
    test(`${key}: speaks of no codes of switches, IDs of objects or paths`, () => {
      const helps = Object.entries(fields).map(([name, field]) => plainHelpOf(name, field, fields));
      assert.deepEqual(
        helps.filter((help) => /^[10] = |^IDs of |"" =|code of \/api/.test(help)),
        [],
      );
    });
  }

  test('is shown only with values that the other field can have', () => {
    for (const { key, fields } of forms)
      for (const [name, { onlyIf }] of Object.entries(fields)) {
        if (!onlyIf) continue;
        const other = ownMember(fields, onlyIf.field);
        assert.ok(other && other.presence !== 'derived', `${key}.${name}`);
        if ('isSet' in onlyIf) continue;
        const known: readonly unknown[] = 'enum' in other.accepts ? (other.accepts.enum as []) : [];
        assert.ok(
          onlyIf.values.every((value) => known.includes(value)),
          `${key}.${name}`,
        );
      }
  });

  test('calls other fields by their titles', () => {
    const { fields } = vastTag;
    assert.match(plainHelpOf('PodMaxAds', fields.PodMaxAds, fields), /without “Ad break length”/);
  });
});
