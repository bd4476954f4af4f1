import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { Entity } from '../../src/entities/entity.ts';
import { entityOf } from '../../src/entities/registry.ts';
import { seeded } from '../support/seed.ts';
import { type Api, freshUsername, startApi, type Values } from './api.ts';
import { applied, exported, inWords, planned } from './config-calls.ts';
import { addDemoExchange } from './demo-exchange.ts';
import { exchangeView } from './exchange-view.ts';
import { type ResourceName, resourceOf } from './resources.ts';
import { addUser } from './users.ts';

const here = await startApi();
const there = await startApi();

/** Kinds that name each other in every way there is: owners, both sides of connections, lists and labels. */
const kinds: readonly (readonly [name: ResourceName, connected: Readonly<Record<string, ResourceName>>])[] = [
  ['Publisher', {}],
  ['Advertiser', {}],
  ['Tag', {}],
  ['DomainList', {}],
  [
    'VastTag',
    { Tags: 'Tag', DomainsBrandsList: 'DomainList', DspVastTags: 'DspVastTag', Campaigns: 'Campaign' },
  ],
  ['DspVastTag', { Tags: 'Tag', VastTags: 'VastTag' }],
  ['Campaign', { VastTags: 'VastTag', BannerEps: 'BannerEp', DomainsBrandsList: 'DomainList' }],
  ['BannerEp', { Tags: 'Tag', Campaigns: 'Campaign' }],
];

/** Names that collide, look like keys, or that YAML and JavaScript could take for something else. */
const names = fc.constantFrom('a', 'a', 'b', 'a~2', 'a~2~1', '~1', '1', 'no', ' ', 'ü"\\\n', '__proto__');

const added = fc.record({
  kind: fc.nat({ max: kinds.length - 1 }),
  name: fc.oneof(names, fc.constant('')),
  values: fc.record(
    {
      Status: fc.constantFrom(0, 1),
      Countries: fc.subarray([{ CC: 'DE' }, { CC: 'NO' }]),
      MaxIvt: fc.constantFrom(0, 12.5, 100),
      AllowIpV6: fc.constantFrom(0, 1),
      CridList: fc.constantFrom('', 'a\r\n b', '# c\n', 'x: y\n\n- z'),
      ListText: fc.constantFrom('', 'one.example\nTWO.example'),
    },
    { requiredKeys: [] },
  ),
});

/** Connects an object with others of the team; numbers choose among what there is. */
const connected = fc.record({
  object: fc.nat({ max: 30 }),
  field: fc.nat({ max: 5 }),
  others: fc.uniqueArray(fc.nat({ max: 6 }), { maxLength: 4 }),
});

const exchange = fc.record({
  objects: fc.array(added, { minLength: 1, maxLength: 9 }),
  connections: fc.array(connected, { maxLength: 10 }),
});
type Exchange = typeof exchange extends fc.Arbitrary<infer Value> ? Value : never;

interface Made {
  readonly kind: (typeof kinds)[number];
  readonly id: number;
}

/** What of the values the kind takes; a name that must not be empty is left to be another one. */
function valuesOf(name: ResourceName, { name: Name, values }: Exchange['objects'][number]): Values {
  const { fields }: Entity = entityOf(name);
  const sent = { Name, ...values };
  const takes = (field: string) => fields[field] !== undefined && fields[field].presence !== 'derived';
  const mayBeEmpty = fields.Name?.presence === 'optional';
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([field, value]) => takes(field) && (field !== 'Name' || value !== '' || mayBeEmpty),
    ),
  );
}

async function addAll(api: Api, { objects }: Exchange): Promise<Made[]> {
  const made: Made[] = [];
  for (const object of objects) {
    const kind = kinds[object.kind] ?? assert.fail();
    const [name] = kind;
    const { Id } = await api.add(name, valuesOf(name, object));
    const { path, wrapper } = resourceOf(name);
    if (object.values.Status === 1) await api.post(`/api/${path}/deactivate`, { [wrapper]: { Id } });
    made.push({ kind, id: Id });
  }
  return made;
}

async function connectAll(api: Api, made: readonly Made[], { connections }: Exchange): Promise<void> {
  for (const { object, field, others } of connections) {
    const { kind, id: Id } = made[object % made.length] ?? assert.fail();
    const fields = Object.entries(kind[1]);
    const [name, to] = fields[field % Math.max(1, fields.length)] ?? [];
    const ids = made.filter((one) => one.kind[0] === to).map(({ id }) => id);
    if (name === undefined || ids.length === 0) continue;
    const chosen = [...new Set(others.map((at) => ids[at % ids.length]))];
    await api.update(kind[0], { Id, [name]: chosen });
  }
}

async function teamOf({ server, api }: typeof here): Promise<Api> {
  return api.as((await addUser(server, { role: 0 })).token);
}

suite('any exchange', () => {
  test('exported and applied on an empty team is the same, and applied again changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(exchange, async (steps) => {
        const [team, other] = [await teamOf(here), await teamOf(there)];
        await connectAll(team, await addAll(team, steps), steps);
        const config = await exported(team);
        assert.deepEqual(await planned(team, config), []);
        await applied(other, config);
        assert.deepEqual(await exchangeView(other), await exchangeView(team));
        assert.equal(JSON.stringify(await exported(other)), JSON.stringify(config));
        assert.deepEqual(await applied(other, config), []);
        await freeUsernames(other);
      }),
      seeded(10),
    );
  });

  test('is brought to any other one, as the plan says, and then changes no more', async () => {
    await fc.assert(
      fc.asyncProperty(exchange, exchange, async (first, second) => {
        const [one, two, other] = [await teamOf(here), await teamOf(here), await teamOf(there)];
        await connectAll(one, await addAll(one, first), first);
        await connectAll(two, await addAll(two, second), second);
        await applied(other, await exported(one));
        const config = await exported(two);
        const reply = await other.post('/api/config/plan', { Config: config });
        assert.equal(reply.status, 200, reply.text);
        const plan = await planned(other, config);
        const done = await applied(other, config);
        assert.deepEqual(
          done.map(({ Id: _, ...rest }) => rest),
          plan.map(({ Id: _, ...rest }) => rest),
        );
        const left = await planned(other, config);
        assert.ok(
          left.every(({ Operation }) => Operation === 'unmanaged'),
          JSON.stringify(left),
        );
        await freeUsernames(other);
      }),
      seeded(10),
    );
  });
});

/** The document with some of its objects alone. */
function trimmed(config: Values, isLeft: (kind: string, object: Values) => boolean): Values {
  const sections = Object.entries(config).flatMap(([kind, objects]) => {
    if (!Array.isArray(objects)) return [[kind, objects]];
    const left = objects.filter((object) => isLeft(kind, object));
    return left.length === 0 ? [] : [[kind, left]];
  });
  return Object.fromEntries(sections);
}

suite('a part of an export', async () => {
  const team = await teamOf(here);
  await addDemoExchange(team);
  const config = await exported(team);
  const sections = Object.entries(config).filter(([, objects]) => Array.isArray(objects));
  const isDemand = (kind: string) => kind === 'Campaign' || kind.startsWith('Dsp');
  const parts: readonly (readonly [what: string, isLeft: (kind: string, object: Values) => boolean])[] = [
    ['demand alone', isDemand],
    ['all but demand', (kind) => !isDemand(kind)],
    ...sections.map(([name]) => [`all but ${name}`, (kind: string) => kind !== name] as const),
    ...sections.map(([name]) => [`${name} alone`, (kind: string) => kind === name] as const),
    ...sections.flatMap(([name, objects]) =>
      (objects as readonly Values[]).map(
        (one) => [`all but ${name} ${one.Name}`, (_: string, other: Values) => other !== one] as const,
      ),
    ),
  ];
  for (const [what, isLeft] of parts) {
    test(`${what}: plans no change`, async () => {
      const part = trimmed(config, isLeft);
      assert.notEqual(JSON.stringify(part), JSON.stringify(config));
      const changes = (await planned(team, part)).filter(({ Operation }) => Operation !== 'unmanaged');
      assert.deepEqual(inWords(changes), []);
    });
  }
});

/** Gives up the user names of a team, which are unique in the installation. */
async function freeUsernames(api: Api): Promise<void> {
  for (const name of ['Publisher', 'Advertiser'] as const) {
    for (const { Id } of await api.all(name)) await api.update(name, { Id, Username: freshUsername() });
  }
}
