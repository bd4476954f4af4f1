import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startApi, type Values } from './api.ts';
import { fieldKinds, type Kind, oneWhenOmitted } from './field-kinds.ts';
import { assertRefused } from './refusals.ts';
import { type ResourceName, resourceNames, resources } from './resources.ts';

const { api } = await startApi();

/** Values that a kind takes as they are, values that it refuses, and what it stores where `add` omits the field. */
interface Rule {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
  readonly omitted: unknown;
}

const notNumbers = ['1', '', true, null, [], [1], {}];
const notTexts = [1, true, null, [], ['a'], {}];
const notLists = ['', 'a', 1, null, {}, { 0: 1 }];
const badUrls = [
  'example.com',
  '/path',
  '//example.com/',
  'ftp://example.com/',
  'javascript:alert(1)',
  'https://',
  'https://exa mple.com/',
  'mailto:a@b.example',
  'file:///etc/passwd',
  'https://a.example/{nonsense}',
];
const text = ['', 'plain', 'Ünï©ødé 日本 \u{1F600}', ' spaces kept ', '"\\/<script>'];

const rules: Readonly<Record<Kind, Rule>> = {
  flag: { good: [0, 1], bad: [-1, 2, 0.5, ...notNumbers], omitted: 0 },
  int: {
    good: [0, 1, 2_147_483_647],
    bad: [-1, 2_147_483_648, 1.5, 1e20, ...notNumbers],
    omitted: 0,
  },
  percent: {
    good: [0, 0.5, 99.999999, 100],
    bad: [-1, -0.000001, 100.000001, 101, ...notNumbers],
    omitted: 0,
  },
  margin: { good: [0, 0.5, 100.5, 1000], bad: [-1, 1000.000001, 1001, ...notNumbers], omitted: 0 },
  usd: { good: [0, 0.000001, 1.5, 1_000_000], bad: [-0.01, 1_000_000.01, 1e9, ...notNumbers], omitted: 0 },
  text: { good: text, bad: notTexts, omitted: '' },
  lines: { good: ['', ' a \n\nb\r\n#c\na', ...text], bad: notTexts, omitted: '' },
  url: {
    good: [
      '',
      'http://example.com',
      'https://user@example.com:8443/a/b?c=d&e=%20#f',
      'https://münchen.example/ä',
    ],
    bad: [...badUrls, ...notTexts],
    omitted: '',
  },
  headers: {
    good: ['', 'X-Key: 1', 'X-Key: 1\nX-Two: a: b'],
    bad: ['no colon', ': x', ...notTexts],
    omitted: '',
  },
  ids: { good: [[]], bad: [[0], [-1], ['1'], [1.5], [null], [[1]], [999_999], ...notLists], omitted: [] },
  sizes: {
    good: [[], ['1x1', '99999x99999', '640x360']],
    bad: [
      ['0x1'],
      ['01x1'],
      ['640X360'],
      ['640 x 360'],
      ['100000x1'],
      ['640'],
      [''],
      [640],
      [null],
      ...notLists,
    ],
    omitted: [],
  },
  categories: {
    good: [[], ['IAB1', 'IAB9-30', 'IAB26']],
    bad: [['IAB27'], ['IAB0'], ['iab1'], ['IAB1-99'], ['Automotive'], [''], [1], [null], ...notLists],
    omitted: [],
  },
  countries: {
    good: [[]],
    bad: [[{ CC: 'us' }], [{ CC: 'ZZ' }], [{ CC: '' }], [{}], ['US'], [{ CC: 1 }], [null], ...notLists],
    omitted: [],
  },
  families: {
    good: [[]],
    bad: [[{ Family: 'Amiga' }], [{ Family: '' }], [{}], ['Android'], [{ Family: 1 }], [null], ...notLists],
    omitted: [],
  },
  deviceTypes: {
    good: [[], [1, 2, 3, 4, 5, 6, 7, 8]],
    bad: [[0], [9], ['1'], [1.5], ...notLists],
    omitted: [],
  },
  attributes: {
    good: [[], [1, 23, 500, 501, 2_147_483_647]],
    bad: [[0], [24], [499], [-1], ['1'], ...notLists],
    omitted: [],
  },
  mimes: {
    good: [[], ['video/mp4', 'application/vnd.apple.mpegurl', 'image/svg+xml']],
    bad: [['video'], ['video/'], ['/mp4'], ['a/b/c'], ['video/mp4 '], [''], [1], ...notLists],
    omitted: [],
  },
};

/** Whether a fault's path is a field's own, or leads into its value. */
const below = (path: string, own: string) =>
  path === own || path.startsWith(`${own}[`) || path.startsWith(`${own}.`);

for (const name of resourceNames) {
  const { path, wrapper } = resources[name];
  const kinds = Object.entries(fieldKinds[name]) as [Kind, readonly string[]][];

  suite(`${name}, every field by its kind`, async () => {
    const { Id } = await api.add(name);
    // Without what the exchange itself fills in, e.g. when an alert was checked.
    const values = async () => {
      const object = await api.one(name, Id);
      return kinds.flatMap(([, fields]) => fields.map((field) => [field, object[field]]));
    };
    for (const [kind, fields] of kinds) {
      const { good, bad } = rules[kind];
      const each = (value: unknown) => Object.fromEntries(fields.map((field) => [field, value]));
      for (const value of good) {
        test(`${kind} takes ${JSON.stringify(value)} as it is: ${fields.join()}`, async () => {
          const stored = await api.update(name, { Id, ...each(value) });
          for (const field of fields) assert.deepEqual(stored[field], value, field);
        });
      }
      for (const value of bad) {
        test(`${kind} refuses ${JSON.stringify(value)}, all of them: ${fields.join()}`, async () => {
          const before = await values();
          const reply = await api.post(`/api/${path}/update`, { [wrapper]: { Id, ...each(value) } });
          assertRefused(reply, { status: 406 });
          const faults = reply.body.Errors as { Path: string }[];
          const told = fields.filter((field) =>
            faults.some(({ Path }) => below(Path, `${wrapper}.${field}`)),
          );
          assert.deepEqual(told, fields);
          assert.equal(faults.length, fields.length, `no other faults: ${reply.text}`);
          assert.deepEqual(await values(), before, 'nothing is changed');
        });
      }
    }
  });

  test(`${name}: what is stored where add omits it`, async () => {
    const object = await api.add(name);
    for (const [kind, fields] of kinds) {
      for (const field of fields) {
        const expected = oneWhenOmitted.includes(field) ? 1 : rules[kind].omitted;
        assert.deepEqual(object[field], expected, field);
      }
    }
  });
}

/** Fields whose codes are their own: the codes, and what is stored where `add` omits the field. */
const choices: readonly (readonly [ResourceName, string, codes: readonly number[], omitted: number])[] = [
  ['Publisher', 'SellerType', [1, 2, 3], 0],
  ['VastTag', 'AuctionType', [1, 2], 1],
  ['PopFeed', 'AuctionType', [1, 2], 1],
  ['BannerEp', 'AuctionType', [1, 2], 1],
  ['VastTag', 'AdPosition', Array.from({ length: 18 }, (_, code) => code), 0],
  ['BannerEp', 'AdPosition', Array.from({ length: 18 }, (_, code) => code), 0],
  ['VastTag', 'Linearity', [0, 1, 2], 0],
  ['VastTag', 'Placement', [0, 1, 2, 3, 4, 5], 0],
  ['VastTag', 'Plcmt', [0, 1, 4, 5, 9], 0],
  ['PopFeed', 'KeywordBlacklistsType', [0, 1, 2], 0],
  ['RtbEp', 'RevenueCountingMethod', [0, 1, 2], 0],
  ['RtbEp', 'CheckAdsTxt', [0, 1, 2], 0],
  ['RtbEp', 'CheckAppAdsTxt', [0, 1, 2], 0],
  ['RtbEp', 'CheckSellersJson', [0, 1, 2], 0],
  ['Campaign', 'Type', [1, 2, 3], 1],
];

suite('fields of codes', () => {
  for (const [name, field, codes, omitted] of choices) {
    const { path, wrapper } = resources[name];
    const send = (values: Values) => api.post(`/api/${path}/update`, { [wrapper]: values });
    test(`${name}.${field} takes ${codes.join()}, and ${omitted} when omitted`, async () => {
      const object = await api.add(name);
      const { Id } = object;
      assert.equal(object[field], omitted);
      for (const code of codes) assert.equal((await api.update(name, { Id, [field]: code }))[field], code);
      const beyond = [-1, Math.max(...codes) + 1, 0.5, ...(omitted === 1 ? [0] : []), ...notNumbers];
      for (const value of beyond) {
        assertRefused(await send({ Id, [field]: value }), { status: 406, paths: [`${wrapper}.${field}`] });
      }
      assert.equal((await api.one(name, Id))[field], codes.at(-1));
    });
  }
  test('DspRtbEp.AuctionType takes 0, the supply side’s, too', async () => {
    const { Id } = await api.add('DspRtbEp');
    for (const code of [0, 1, 2])
      assert.equal((await api.update('DspRtbEp', { Id, AuctionType: code })).AuctionType, code);
    const reply = await api.post('/api/ortb/dsprtbep/update', { DspRtbEp: { Id, AuctionType: 3 } });
    assertRefused(reply, { status: 406, paths: ['DspRtbEp.AuctionType'] });
  });
});
