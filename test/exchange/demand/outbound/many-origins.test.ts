import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { test } from 'node:test';
import { createOutbound } from '../../../../src/exchange/demand/outbound/create-outbound.ts';

test('partners who keep connections to more origins than there is room for shut out nobody', async (t) => {
  let kept = 0;
  // Connections are kept as long as the partner says.
  const server = createServer({ keepAliveTimeout: 600_000 }, (_request, response) => response.end('ok'));
  server.on('connection', (socket) => {
    kept += 1;
    socket.once('close', () => {
      kept -= 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outbound = createOutbound({
    allowPrivate: true,
    originsMax: 3,
    resolve: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await outbound.close();
  });
  const call = async (name: string) => {
    const url = `http://${name}.example:${port}/`;
    const answer = await outbound.call(`DspVastTag:${name}`, { method: 'GET', url, headers: {} }, 5000);
    return 'status' in answer ? answer.status : answer;
  };
  for (let n = 0; n < 10; n += 1) assert.equal(await call(`n${n}`), 200, `origin ${n}`);
  assert.deepEqual(await Promise.all(['a', 'b', 'b', 'n0'].map(call)), [200, 200, 200, 200]);
  // What there is no room to keep goes at once: a connection more finds it gone.
  const last = createConnection(port, '127.0.0.1');
  await once(last, 'connect');
  while (kept > 4) await new Promise(setImmediate);
  last.destroy();
});
