import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { entities, entityOf } from '../../src/entities/registry.ts';
import { openStore } from '../../src/store/open-store.ts';
import { startApi, type Values } from './api.ts';
import { applied, exported, inWords, planned, revisionOf, send } from './config-calls.ts';
import type { ResourceName } from './resources.ts';

const { server, api } = await startApi();
const marker = 'marker-of-a-credential';

/** Every field that holds credentials of clients, with its entity. */
const confidential = entities.flatMap(({ key, fields }) =>
  Object.entries(fields).flatMap(([field, { isConfidential }]) => (isConfidential ? [{ key, field }] : [])),
);

/** As the database has it: not all of them stand in answers. */
async function storedValue(key: string, id: number, field: string): Promise<unknown> {
  const store = await openStore({ url: server.databaseUrl, now: Date.now });
  const found = await store.find(entityOf(key), 1, { id });
  await store.close();
  return found?.document[field] ?? '';
}

/** The document with a member of the only object of its kind given. */
function giving(config: Values, key: string, values: Values): Values {
  const [object] = config[key] as readonly Values[];
  return { ...config, [key]: [{ ...object, ...values }] };
}

suite('credentials that clients have put into objects', () => {
  assert.ok(confidential.length > 0);
  for (const [index, { key, field }] of confidential.entries()) {
    test(`${key}.${field} is not exported, stays when left out, and is never shown`, async () => {
      const name = key as ResourceName;
      const { Id } = await api.add(name, { Name: 'Guarded', [field]: `X-Key: ${marker}-${index}` });
      const value = () => storedValue(key, Id, field);
      const config = await exported(api);
      assert.ok(!JSON.stringify(config).includes(marker), 'the export holds it');
      const before = await revisionOf(server);
      assert.deepEqual(await planned(api, config), []);
      assert.deepEqual(await applied(api, config), []);
      assert.equal(await revisionOf(server), before);
      assert.equal(await value(), `X-Key: ${marker}-${index}`);

      await applied(api, giving(config, key, { Countries: [{ CC: 'DE' }] }));
      assert.equal(await value(), `X-Key: ${marker}-${index}`);

      const steps: readonly (readonly [given: string, told: string])[] = [
        [`X-Key: ${marker}-other`, '"(not shown)" → "(not shown)"'],
        ['', '"(not shown)" → ""'],
        [`X-Key: ${marker}-again`, '"" → "(not shown)"'],
      ];
      for (const [given, told] of steps) {
        const next = giving(config, key, { Countries: [{ CC: 'DE' }], [field]: given });
        for (const step of ['plan', 'apply?DryRun=1', 'apply']) {
          const reply = await send(api, step, next);
          assert.equal(reply.status, 200, reply.text);
          assert.ok(!reply.text.includes(marker), `${step} shows it`);
          assert.deepEqual(inWords(reply.body.Plan as never), [`update ${key} "Guarded"; ${field} ${told}`]);
        }
        assert.equal(await value(), given);
        assert.deepEqual(await planned(api, next), []);
      }
      await api.update(name, { Id, [field]: '' });
    });
  }

  test('of a new object are what the document gives', async () => {
    const [{ key, field } = assert.fail()] = confidential;
    const owner = entities.find((entity) => entity.key === key)?.owner?.entity ?? '';
    const config = await exported(api);
    const [account] = config[owner] as readonly Values[];
    const objects = ['With', 'Without'].map((Name) => ({
      Name,
      [owner]: account?.Name,
      ...(Name === 'With' ? { [field]: `X-Key: ${marker}-new` } : {}),
    }));
    await applied(api, { Version: 1, [key]: objects });
    const added = (await api.all(key as ResourceName)).slice(-2);
    const values = await Promise.all(
      added.map(async ({ Id, Name }) => ({ Name, [field]: await storedValue(key, Id, field) })),
    );
    assert.deepEqual(
      values.map((one) => [one.Name, one[field]]),
      [
        ['With', `X-Key: ${marker}-new`],
        ['Without', ''],
      ],
    );
  });
});
