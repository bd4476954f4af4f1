import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startApi, type Values } from './api.ts';
import { assertRefused } from './refusals.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();

const send = (Team: Values, { token = server.token, ifMatch = '' } = {}) =>
  api.as(token).send('/api/team/update', {
    method: 'POST',
    body: JSON.stringify({ Team }),
    headers: ifMatch === '' ? {} : { 'if-match': ifMatch },
  });
const stored = async () => (await api.get('/api/team/get')).body as Values;
const codesOf = (countries: unknown) => (countries as readonly { readonly CC: string }[]).map(({ CC }) => CC);

/** Good values come back as they are. */
const rows: readonly (readonly [field: string, good: readonly unknown[], bad: readonly unknown[]])[] = [
  ['GvlId', [755, 65_535, 0], [-1, 65_536, '1', null]],
  ['GdprDefault', [0, 1], [2, true, null]],
  ['EnforcePurpose1', [1, 2, 0], [3, -1, null]],
  ['EnforcePurpose10', [1, 2, 0], [3, -1, null]],
  ['UserIdsNeedPurpose4', [1, 0], [2, null]],
  ['GdprCountries', [[], [{ CC: 'DE', Country: 'Germany' }]], [['DE'], [{ CC: 'de' }], [{ CC: '' }], null]],
  ['PurposeOneCountries', [[{ CC: 'DE', Country: 'Germany' }], []], [[{ CC: 'ZZ' }], null]],
];

suite("the team's settings of privacy", () => {
  test('are safe before anybody has set them', async () => {
    const { GdprCountries, ...others } = await stored();
    const enforced = Array.from({ length: 10 }, (_, at) => [`EnforcePurpose${at + 1}`, 0]);
    assert.deepEqual(others, {
      MeasurementUrl: '',
      GvlId: 0,
      GdprDefault: 0,
      ...Object.fromEntries(enforced),
      UserIdsNeedPurpose4: 0,
      PurposeOneCountries: [],
    });
    const codes = codesOf(GdprCountries);
    for (const code of ['DE', 'FR', 'IS', 'LI', 'NO', 'GB', 'CH']) assert.ok(codes.includes(code), code);
    for (const code of ['US', 'RU', 'TR']) assert.ok(!codes.includes(code), code);
  });

  for (const [field, good, bad] of rows) {
    test(field, async () => {
      for (const value of good) {
        const { status, body } = await send({ [field]: value });
        assert.equal(status, 200);
        assert.deepEqual((body as { Team: Values }).Team[field], value);
      }
      for (const value of bad)
        assertRefused(await send({ [field]: value }), { status: 406, says: [`Team.${field}`] });
      assert.deepEqual((await stored())[field], good.at(-1));
    });
  }

  test('are changed by administrators alone, one without the others, as the history tells', async () => {
    const { token } = await addUser(server, { role: 1, teamId: 1 });
    assertRefused(await send({ GvlId: 7 }, { token }), { status: 403 });
    const before = await stored();
    await send({ GvlId: 7, GdprDefault: before.GdprDefault, GdprCountries: [{ CC: 'FR' }] });
    assert.deepEqual(await stored(), {
      ...before,
      GvlId: 7,
      GdprCountries: [{ CC: 'FR', Country: 'France' }],
    });
    const { body } = await api.get('/api/history/get?Entity=Team&Order=newest');
    const [{ Changes = [] } = {}] = body as unknown as readonly { readonly Changes?: readonly Values[] }[];
    assert.deepEqual(Changes, [
      { Field: 'GvlId', Old: before.GvlId, New: 7 },
      { Field: 'GdprCountries', Old: before.GdprCountries, New: [{ CC: 'FR', Country: 'France' }] },
    ]);
  });

  test('are changed only as they were fetched, with If-Match', async () => {
    const tag = (await api.get('/api/team/get')).headers.get('etag')?.replace('W/', '') ?? '';
    const first = await send({ GvlId: 8 }, { ifMatch: tag });
    assert.equal(first.status, 200);
    assert.notEqual(first.headers.get('etag')?.replace('W/', ''), tag);
    assertRefused(await send({ GvlId: 9 }, { ifMatch: tag }), { status: 412 });
    assert.equal((await stored()).GvlId, 8);
  });
});
