import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { freshUsername, posted, startApi } from './api.ts';
import { send } from './config-calls.ts';
import { assertRefused } from './refusals.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
const outsider = await addUser(server, { role: 0 });
const elsewhere = api.as(outsider.token);

suite('a deal', () => {
  test('has a code that no other deal of the team has, and that other teams may use', async () => {
    const Code = freshUsername();
    const { Id } = await api.add('Deal', { Code });
    const other = await api.add('Deal');
    const taken = { status: 406, paths: ['Deal.Code'], says: [Code, 'already used'] };
    assertRefused(await api.post('/api/deal/add', { Deal: { Code } }), taken);
    assertRefused(await api.post('/api/deal/update', { Deal: { Id: other.Id, Code } }), taken);
    await api.update('Deal', { Id, Code, Name: 'the same again' });
    assert.equal((await elsewhere.add('Deal', { Code })).Code, Code);
    await api.update('Deal', { Id, Code: freshUsername() });
    assert.equal((await api.update('Deal', { Id: other.Id, Code })).Code, Code);
  });

  test('is planned and applied by its name, and a code twice in a file is refused', async () => {
    const [Code, Name] = [freshUsername(), freshUsername()];
    const deal = { Code, Name, Type: 3, PriceType: 3, Price: 12.5 };
    const file = (...deals: readonly object[]) => ({ Version: 1, Deal: deals });
    const applied = await send(api, 'apply', file(deal));
    assert.equal(applied.status, 200, applied.text);
    assert.partialDeepStrictEqual(
      (await api.all('Deal')).find((one) => one.Code === Code),
      { Code, Name, Price: 12.5 },
    );
    const [one, other] = [freshUsername(), freshUsername()];
    const again = { ...deal, Code: freshUsername() };
    const twice = await send(api, 'plan', file({ ...again, Name: one }, { ...again, Name: other }));
    assert.equal(twice.status, 406, twice.text);
    assert.match(twice.text, /is already taken by/);
  });

  const refused: readonly (readonly [what: string, values: object, path: string])[] = [
    ['that ends before it starts', { StartTime: '2027-02-01', EndTime: '2027-01-31' }, 'Deal.EndTime'],
    ['that ends before it starts in its zone', { StartTime: '2027-01-31T12:00', EndTime: '2027-01-31T10:30Z', TimeZone: 'America/New_York' }, 'Deal.EndTime'],
    ['with a fee above all', { CurationFeeType: 1, CurationFee: 101 }, 'Deal.CurationFee'],
  ]; // biome-ignore format: a table
  for (const [what, values, path] of refused) {
    test(`${what} is refused`, async () => {
      const reply = await api.post('/api/deal/add', { Deal: { Code: freshUsername(), ...values } });
      assertRefused(reply, { status: 406, paths: [path] });
    });
  }

  test('of one day is none that ends before it starts', async () => {
    const day = '2027-01-31';
    const deal = await api.add('Deal', { StartTime: day, EndTime: day, TimeZone: 'Asia/Kathmandu' });
    assert.deepEqual([deal.StartTime, deal.EndTime], [day, day]);
  });

  test('keeps its headers out of the history', async () => {
    const { Id } = await api.add('Deal', { PushHeaders: 'Authorization: Bearer secret-push' });
    await api.update('Deal', {
      Id,
      PushUrl: 'https://dsp.example/deals',
      PushHeaders: 'X-Key: secret-other',
    });
    const history = await api.get(`/api/history/get?Entity=Deal&Id=${Id}`);
    assert.equal(history.status, 200, history.text);
    assert.doesNotMatch(history.text, /secret-/);
  });

  test('without a price is warned of where the price is fixed', async () => {
    const reply = await api.post('/api/deal/add', { Deal: { Code: freshUsername(), PriceType: 3 } });
    posted(reply, 'Deal');
    assert.match(reply.text, /is 0: a deal at a fixed price sells for nothing/);
  });
});
