import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createOutbound } from '../../../../../src/exchange/demand/outbound/create-outbound.ts';
import { startRawPartner } from './raw-partner.ts';
import { testCertificate } from './test-certificate.ts';

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi';
const last = ok.replace('content', 'connection: close\r\ncontent');

function open(options: Partial<Parameters<typeof createOutbound>[0]> = {}) {
  return createOutbound({
    allowPrivate: true,
    ca: testCertificate.cert,
    resolve: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    ...options,
  });
}

const refusals = [
  ['whose certificate is of another name', 'other.example', {}, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['whose certificate nobody trusts', 'dsp.example', { ca: undefined }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['at a private address', 'dsp.example', { allowPrivate: false }, 'dsp.example leads to no public address'],
] as const;

describe('a partner by TLS', () => {
  for (const [name, host, options, met] of refusals) {
    test(`${name} is sent nothing`, async () => {
      await using partner = await startRawPartner((socket) => socket.write(ok), testCertificate);
      const outbound = open(options as object);
      const url = `https://${host}:${partner.port}/`;
      const refusal = await outbound.call('D:1', { method: 'POST', url, headers: {}, body: '{}' }, 20_000);
      assert.partialDeepStrictEqual(refusal, { met });
      assert.equal(partner.requests.length, 0);
      await outbound.close();
    });
  }

  test('is asked by its name over HTTP/1.1, on one connection, and resumes its session on the next', async () => {
    const seen: unknown[] = [];
    await using partner = await startRawPartner(
      (socket, { nth }) => {
        const { servername, alpnProtocol } = socket as TLSSocket;
        seen.push([servername, alpnProtocol, (socket as TLSSocket).isSessionReused()]);
        socket.write(nth === 1 ? last : ok);
      },
      { ...testCertificate, ALPNProtocols: ['h2', 'http/1.1'] },
    );
    const outbound = open();
    const url = `https://dsp.example:${partner.port}/`;
    for (let times = 0; times < 3; times += 1) {
      const answer = await outbound.call('D:1', { method: 'POST', url, headers: {}, body: '{}' }, 20_000);
      assert.partialDeepStrictEqual(answer, { status: 200, body: 'hi' });
    }
    const asked = ['dsp.example', 'http/1.1'];
    assert.deepEqual(seen, [
      [...asked, false],
      [...asked, false],
      [...asked, true],
    ]);
    assert.equal(partner.connections(), 2);
    await outbound.close();
  });
});
