import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const textOf = async (path: string) => (await fetch(server.url + path)).text();

/** Paths that a page names in `src` and `href`, as the browser would resolve them. */
function namedIn(html: string): URL[] {
  const names = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, name = '']) => name);
  return names.filter((name) => !name.startsWith('data:')).map((name) => new URL(name, `${server.url}/docs`));
}

describe('the reference page', () => {
  test('is served without a token, with all that it names, from this server alone', async () => {
    const html = await textOf('/docs');
    const named = namedIn(html);
    assert.ok(named.length >= 4);
    for (const url of named) {
      assert.equal(url.origin, server.url);
      assert.equal((await fetch(url)).status, 200, url.pathname);
    }
  });

  for (const path of ['/', '/docs/']) {
    test(`is where a browser is sent from ${path}`, async () => {
      const { status, headers } = await fetch(server.url + path, { redirect: 'manual' });
      assert.equal(status, 302);
      assert.equal(headers.get('location'), '/docs');
    });
  }

  test('names no other host, and starts its library with none', async () => {
    for (const path of ['/docs', '/docs/page.js', '/docs/page.css']) {
      const text = await textOf(path);
      assert.doesNotMatch(text, /(https?:)?\/\/[a-z0-9-]+\./i, path);
    }
    assert.match(await textOf('/docs/page.js'), /validatorUrl: null/);
    assert.doesNotMatch(await textOf('/docs/swagger-ui.css'), /url\((?!["']?data:)|@import/);
  });

  test('lets the browser ask no other host', async () => {
    const { headers } = await fetch(`${server.url}/docs`);
    const policy = Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
        const [name = '', ...sources] = rule.split(' ');
        return [name, sources];
      }),
    );
    assert.deepEqual(policy['default-src'], ["'none'"]);
    const own = new Set(["'self'", "'none'", "'unsafe-inline'", 'data:']);
    for (const [name, sources] of Object.entries(policy)) {
      assert.ok(
        sources.every((source) => own.has(source)),
        name,
      );
    }
    assert.deepEqual(policy['script-src'], ["'self'"]);
    assert.deepEqual(policy['connect-src'], ["'self'"]);
  });

  test('shows the document of this installation', async () => {
    assert.match(await textOf('/docs/page.js'), /api\/openapi\.json/);
    const document = JSON.parse(await textOf('/api/openapi.json'));
    assert.equal(document.openapi, '3.1.0');
    assert.deepEqual(
      document.servers.map(({ url }: { url: string }) => url),
      [server.url],
    );
  });

  test('is sent again only when it has changed', async () => {
    const first = await fetch(`${server.url}/api/openapi.json`);
    const etag = first.headers.get('etag');
    await first.text();
    assert.ok(etag);
    const again = await fetch(`${server.url}/api/openapi.json`, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), '');
  });
});
