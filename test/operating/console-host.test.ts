import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deliveryEndpoints } from '../../src/exchange/endpoints/delivery-endpoints.ts';
import { endpoints } from '../../src/management/endpoints.ts';
import { playerPath } from '../../src/reference/demo-paths.ts';
import { ask } from '../exchange/ask.ts';
import { type ExchangeRoom, furnish, zoneUrl } from '../exchange/exchange-room.ts';
import { rawHttp } from '../robustness/raw-http.ts';
import { startTestServer } from '../support/server.ts';

const consoleUrl = 'http://127.0.0.1';
const baseUrl = 'https://ads.example';
const ads = 'ads.example';

let room: ExchangeRoom;
before(async () => {
  room = await furnish(
    await startTestServer({ consoleUrl, baseUrl, allowPrivateDemand: true }, undefined, { hasConsole: true }),
  );
});
after(() => room.close());

const at = (host: string, path: string, method = 'GET') => ask(room.server.url + path, { host }, method);
/** What the console's host sends is no answer of a door, and the other way round. */
const isOfDoor = ({ headers }: { readonly headers: object }) => !('x-request-id' in headers);

describe('with a host of its own for the console', () => {
  const isService = (path: string) => ['/healthz', '/readyz', '/metrics'].includes(path);
  const others = ['/', '/console', '/console/VastTag', '/console/player/vast', '/docs', '/api/openapi.json'];
  const edge = ['/api/edge/changes?Protocol=2', '/api/nothing', '/nothing'];

  test('the console and the API answer only there, and elsewhere say where they are', async () => {
    const asked = endpoints.filter(({ path }) => !isService(path)).map(({ path, method }) => [path, method]);
    for (const [path = '', method] of [...asked, ...[...others, ...edge].map((path) => [path, 'GET'])]) {
      const { status, text } = await at(ads, path, method);
      assert.equal(status, 404, `${method} ${path}`);
      assert.match(text, /the console and the API are at http:\/\/127\.0\.0\.1"/, path);
    }
    for (const path of others)
      assert.ok([200, 302, 503].includes((await at('127.0.0.1', path)).status), path);
    assert.equal((await at('127.0.0.1', '/api/edge/changes?Protocol=2')).status, 401);
  });

  test('doors answer everywhere but there', async () => {
    for (const path of [
      ...deliveryEndpoints.map((endpoint) => endpoint.path),
      '/vast?test_pass=x',
      '/track/impression?t=x',
    ]) {
      assert.ok(isOfDoor(await at(ads, path)), path);
      assert.ok(isOfDoor(await at('eu.ads.example:8080', path)), path);
      const { status, text } = await at('127.0.0.1', path);
      assert.equal(status, 404, path);
      assert.match(text, /whose host serves no ads/, path);
    }
    assert.equal((await at('127.0.0.1', playerPath)).status, 404);
  });

  test('what machines ask is answered at both', async () => {
    for (const host of [ads, '127.0.0.1', 'anything.example'])
      for (const path of ['/healthz', '/readyz', '/metrics'])
        assert.equal((await at(host, path)).status, 200);
  });

  test('the name of the host counts, not its case or port; without one, ads are served', async () => {
    assert.equal((await at('127.0.0.1:9', '/docs')).status, 200);
    assert.ok(isOfDoor(await at('ADS.example:443', '/sellers.json')));
    const port = Number(new URL(room.server.url).port);
    for (const [request, status] of [
      ['GET /sellers.json HTTP/1.0\r\n\r\n', 200],
      ['GET /api/tag/get HTTP/1.0\r\n\r\n', 404],
      ['GET http://127.0.0.1/api/tag/get HTTP/1.1\r\nHost: ads.example\r\n\r\n', 404],
    ] as const)
      assert.equal((await rawHttp(port, request)).status, status, request);
  });

  test('links to people and statistics lead to the console, tags to the host of ads', async () => {
    const { Link } = await room.call('auth/user/invite', {
      Mail: 'new@example.com',
      FirstName: 'N',
      LastName: 'N',
      Role: 1,
    });
    assert.match(String(Link), /^http:\/\/127\.0\.0\.1\/#invite=/);
    const tag = await room.add('ortb/vasttag');
    assert.ok(zoneUrl(tag).startsWith(`${baseUrl}/vast?`), zoneUrl(tag));
    assert.ok(String(tag.StatsByDateJson).startsWith(`${consoleUrl}/api/`), String(tag.StatsByDateJson));
    const document = (await room.call('openapi.json')) as { servers?: readonly { readonly url: string }[] };
    assert.equal(document.servers?.[0]?.url, consoleUrl);
  });
});
