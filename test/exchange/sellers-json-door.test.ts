import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask } from './ask.ts';
import { type ExchangeRoom, openExchange } from './exchange-room.ts';

let room: ExchangeRoom;

before(async () => {
  room = await openExchange();
});
after(() => room.close());

const addPublisher = (Username: string, values: object) =>
  room.add('publisher', {
    Mail: 'p@example.com',
    Country: 'DE',
    Username,
    Name: Username,
    ...values,
  });

test('lists every active publisher as it is now', async () => {
  const second = await addPublisher('b', {
    SellerType: 2,
    SellersJsonDomain: 'b.example',
    PlatformDomain: 'x.example',
  });
  await addPublisher('c', {
    SellerId: 'sel"ler',
    SellerType: 3,
    PlatformDomain: 'c.example',
    Name: 'C & <Co>',
  });
  await addPublisher('same', { SellerId: 'sel"ler', SellerType: 1 });
  const gone = await addPublisher('gone', { SellerType: 1 });
  await room.call('publisher/deactivate', { Publisher: { Id: gone.Id } });
  await room.served();
  const url = `${room.server.url}/sellers.json`;
  const { status, headers, text } = await ask(url, { origin: 'https://crawler.example' });
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^application\/json/);
  assert.equal(headers['access-control-allow-origin'], 'https://crawler.example');
  assert.deepEqual(JSON.parse(text), {
    version: '1.0',
    sellers: [
      // Without a domain the standard allows only a confidential seller, who is not named.
      { seller_id: 'pub-7', is_confidential: 1, seller_type: 'PUBLISHER' },
      { seller_id: String(second.Id), name: 'b', domain: 'b.example', seller_type: 'INTERMEDIARY' },
      { seller_id: 'sel"ler', name: 'C & <Co>', domain: 'c.example', seller_type: 'BOTH' },
    ],
  });
  assert.equal((await ask(url, {}, 'HEAD')).headers['content-length'], String(Buffer.byteLength(text)));
  assert.equal((await ask(url, {}, 'POST')).status, 405);
  await room.call('publisher/activate', { Publisher: { Id: gone.Id } });
  await room.served();
  assert.match((await ask(url)).text, new RegExp(`"seller_id":"${gone.Id}"`));
});
