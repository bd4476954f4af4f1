import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { exchangeKindNames } from '../../src/entities/kinds.ts';
import { entityOf } from '../../src/entities/registry.ts';
import { credentialHash } from '../../src/exchange/credential-hash.ts';
import { isForDelivery } from '../../src/fields/field.ts';
import { createIdentity } from '../../src/identity/identity.ts';
import { edgeProtocol } from '../../src/management/edge/edge-home.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Stored, Values } from '../exchange/exchange-room.ts';
import { openVastRoom, type VastRoom } from '../exchange/vast-room.ts';

let room: VastRoom;
let changes: string;
const added: [kind: string, object: Stored][] = [];

const account = {
  Mail: 'secret-mail@example.com',
  Name: 'Company',
  Description: 'a secret description',
  Country: 'DE',
  City: 'Secret City',
  ZipCode: 'secret-zip',
  Address: 'Secret Street 1',
  Phone: '+49 secret 1',
  Website: 'https://secret-website.example',
  MsgApp: 'secret-app',
  MsgAccount: 'secret-account',
};
const statistics = {
  StatsApi: 'https://secret-statistics.example/figures',
  StatsApiHeaders: 'authorization: Bearer secret-token',
  StatsDashboardUrl: 'https://secret-dashboard.example/',
};
/** What is sent of each kind beside what `add` requires. */
const values: Readonly<Record<string, Values>> = {
  Publisher: { ...account, Username: 'secret-publisher' },
  Advertiser: { ...account, Username: 'secret-advertiser' },
  DspVastTag: statistics,
  DspRtbEp: statistics,
  DspPopFeed: statistics,
  Deal: { Code: 'deal-1', PushUrl: 'https://secret-push.example/', PushHeaders: 'X-Key: secret-push' },
};

before(async () => {
  room = await openVastRoom();
  for (const kind of exchangeKindNames) {
    const { path } = entityOf(kind);
    added.push([kind, await room.add(path, { Name: `${kind} 1`, ...values[kind] })]);
  }
  const store = await openStore({ url: room.server.databaseUrl, now: Date.now });
  const { key } = await createIdentity({ store, now: Date.now }).addEdgeKey('Frankfurt');
  await store.close();
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${room.server.url}/api/edge/changes?Protocol=${edgeProtocol}`, { headers });
  assert.equal(answer.status, 200);
  changes = await answer.text();
});
after(() => room.close());

/** What an edge is sent of an object. */
function settingsOf(kind: string, { Id }: Stored): Values {
  const line = changes.split('\n').find((one) => one.startsWith(`{"entity":"${kind}","id":${Id},`));
  return JSON.parse(line ?? assert.fail(kind)).settings;
}

test('an edge is sent every object, and of each what delivery reads', () => {
  for (const [kind, object] of added) {
    const settings = settingsOf(kind, object);
    for (const [name, field] of Object.entries(entityOf(kind).fields)) {
      if (isForDelivery(field) && field.place.kind === 'document')
        assert.ok(name in settings, `${kind}.${name}`);
    }
  }
});

test('an edge is sent nothing of what delivery does not read', () => {
  assert.doesNotMatch(changes, /secret-|Secret |secret description/i);
  for (const [kind, object] of added) {
    for (const [name, field] of Object.entries(entityOf(kind).fields)) {
      if (isForDelivery(field) || field.place.kind !== 'document') continue;
      assert.ok(!(name in settingsOf(kind, object)), `${kind}.${name}`);
      assert.equal(name in object, !field.isWriteOnly, `${kind}.${name} is shown`);
    }
  }
});

test('an edge is sent credentials as hashes alone', () => {
  let checked = 0;
  for (const [kind, object] of added) {
    for (const [name, field] of Object.entries(entityOf(kind).fields)) {
      if (field.place.kind !== 'secret') continue;
      const credential = String(object[name]);
      assert.match(credential, /^[\w-]{32}$/);
      assert.ok(!changes.includes(credential), `${kind}.${name}`);
      assert.equal(changes.includes(credentialHash(credential)), isForDelivery(field), `${kind}.${name}`);
      checked += 1;
    }
  }
  assert.ok(checked >= 7);
});
