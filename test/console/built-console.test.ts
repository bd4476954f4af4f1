import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import fastify from 'fastify';
import { builtFolder, openConsole, sourcesHash } from '../../src/console-pages/built-console.ts';
import { registerConsole } from '../../src/console-pages/console-pages.ts';
import { licences } from '../support/licences.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function projectOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'bourse-console-'));
  folders.push(root);
  for (const [name, content] of Object.entries(files)) write(root, name, content);
  return root;
}

function write(root: string, name: string, content: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
}

const page =
  '<head><base href="/" /></head><script nonce="BOURSE-NONCE" src="./console/assets/main.js"></script>';
const sources = { 'console/index.html': page, 'src/fields/text.ts': '// a field', 'package-lock.json': '{}' };

/** A build script that makes a console whose page tells what it was made from. */
const building = `
import { readFileSync, mkdirSync, writeFileSync, appendFileSync } from 'node:fs';
import { builtFolder, sourcesHash } from '${new URL('../../src/console-pages/built-console.ts', import.meta.url)}';
const root = process.cwd();
const folder = builtFolder(root) + '/' + sourcesHash(root);
mkdirSync(folder + '/assets', { recursive: true });
writeFileSync(folder + '/index.html', ${JSON.stringify(page)} + readFileSync(root + '/src/fields/text.ts'));
writeFileSync(folder + '/player.html', '');
writeFileSync(folder + '/assets/main.js', 'run()');
appendFileSync(root + '/builds', 'x');
`;

async function served(root: string) {
  const app = fastify();
  registerConsole(app, openConsole(root));
  const get = (url: string) => app.inject({ url, headers: { 'accept-encoding': 'br' } });
  return { get, [Symbol.asyncDispose]: () => app.close() };
}

describe('a console', () => {
  test('is built once, and again when its sources have changed: never is one of other sources served', async () => {
    const root = projectOf({ ...sources, 'console/build/build.ts': building });
    assert.equal(openConsole(root).state().kind, 'building');
    await openConsole(root).prepare();
    await openConsole(root).prepare();
    await using first = await served(root);
    assert.match((await first.get('/')).body, /a field$/);
    write(root, 'src/fields/text.ts', '// another field');
    await using second = await served(root);
    const meanwhile = await second.get('/');
    assert.equal(meanwhile.statusCode, 503);
    assert.match(meanwhile.body, /being built/);
    await openConsole(root).prepare();
    assert.match((await second.get('/')).body, /another field$/);
  });

  for (const [source, isOther] of [
    ['console/a.tsx', true],
    ['console/a.test.ts', false],
    ['src/entities/a.ts', true],
    ['src/fields/a.ts', true],
    ['src/reference/a.ts', true],
    ['package-lock.json', true],
    ['src/statistics/asking/a.ts', true],
    ['docs/guide/first-ad.md', true],
    ['docs/guide/pictures/test.png', true],
  ] as const) {
    test(`is ${isOther ? 'another' : 'the same'} one when this changes: ${source}`, () => {
      const root = projectOf(sources);
      const before = sourcesHash(root);
      write(root, source, '// other');
      assert.equal(sourcesHash(root) !== before, isOther);
    });
  }

  const failures = [
    [
      'a script that fails',
      'console.error("no <bundler> here"); process.exit(1);',
      /no &lt;bundler&gt; here/,
    ],
    ['a script that is killed', 'process.kill(process.pid, "SIGKILL");', /could not be built/],
    ['a script that does nothing', '', /could not be built/],
  ] as const;
  for (const [name, script, told] of failures) {
    test(`that cannot be built says why at /: ${name}`, async () => {
      const root = projectOf({ ...sources, 'console/build/build.ts': script });
      await openConsole(root).prepare();
      await using app = await served(root);
      const { statusCode, body } = await app.get('/');
      assert.equal(statusCode, 503);
      assert.match(body, told);
      write(root, 'console/build/build.ts', building);
      await openConsole(root).prepare();
      await using mended = await served(root);
      assert.equal((await mended.get('/')).statusCode, 200);
    });
  }

  test('that was packed is served without its sources', async () => {
    const root = projectOf({
      'console/dist/0123456789abcdef/index.html': page,
      'console/dist/0123456789abcdef/player.html': page,
    });
    mkdirSync(join(root, 'console/dist/0123456789abcdef/assets'));
    assert.equal(sourcesHash(root), undefined);
    await openConsole(root).prepare();
    await using app = await served(root);
    assert.equal((await app.get('/')).statusCode, 200);
    assert.ok(existsSync(builtFolder(root)));
  });
});

test('what is built into the console has a licence that we may ship, and is named with it', async () => {
  const built = openConsole();
  await built.prepare();
  const state = built.state();
  assert.ok(state.kind === 'ready', JSON.stringify(state));
  const text = readFileSync(join(state.folder, 'licenses.md'), 'utf8');
  const packages = [...text.matchAll(/^## (\S+) - \S+ \((.*)\)$/gm)].map(([, name, licence]) => [
    name,
    licence,
  ]);
  // Of the pages, and of a worker.
  for (const known of ['react', 'hucre'])
    assert.ok(
      packages.some(([name]) => name === known),
      known,
    );
  assert.deepEqual(
    packages.filter(([, licence = '']) => !licences.includes(licence)),
    [],
  );
});

/** What a browser fetches before a page is shown: its scripts and styles, and what these import. */
function startOf(page: string, assets: string): readonly string[] {
  const found = new Set<string>();
  const follow = (text: string) => {
    for (const [, name = ''] of text.matchAll(
      /(?:console\/assets|\b(?:from|import)"\.)\/([\w.-]+\.(?:js|css))"/g,
    )) {
      if (found.has(name)) continue;
      found.add(name);
      follow(readFileSync(join(assets, name), 'utf8'));
    }
  };
  follow(page);
  return [...found];
}

for (const { page, bytesMax, filesMax } of [
  { page: 'index.html', bytesMax: 175_000, filesMax: 5 },
  { page: 'player.html', bytesMax: 16_000, filesMax: 5 },
]) {
  test(`${page} starts with at most ${bytesMax} bytes in ${filesMax} files, compressed`, async () => {
    const built = openConsole();
    await built.prepare();
    const state = built.state();
    assert.ok(state.kind === 'ready', JSON.stringify(state));
    const assets = join(state.folder, 'assets');
    const files = startOf(readFileSync(join(state.folder, page), 'utf8'), assets);
    const sizes = files.map((name) => [name, statSync(join(assets, `${name}.br`)).size] as const);
    const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
    assert.ok(files.length > 1 && files.length <= filesMax && bytes <= bytesMax, JSON.stringify(sizes));
    assert.ok(bytes > bytesMax / 2, `${bytes}: is it all found?`);
  });
}

describe('its pages', () => {
  const root = () => {
    const made = projectOf({ ...sources });
    const folder = join(builtFolder(made), sourcesHash(made) ?? '');
    mkdirSync(join(folder, 'assets'), { recursive: true });
    for (const name of ['index.html', 'player.html']) writeFileSync(join(folder, name), page);
    writeFileSync(join(folder, 'assets', 'main.js'), 'run()');
    writeFileSync(join(folder, 'assets', 'main.js.br'), 'packed');
    return made;
  };

  test('carry a nonce of their own, and lead to / from everywhere', async () => {
    await using app = await served(root());
    const nonces = new Set<string>();
    for (const [path, base] of [
      ['/', './'],
      ['/console/VastTag', '../'],
      ['/console/VastTag/1/history?x=../..', '../../../'],
    ] as const) {
      const { headers, body } = await app.get(path);
      const nonce =
        /script-src 'self' 'nonce-([\w-]+)'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
      assert.ok(body.includes(`nonce="${nonce}"`) && body.includes(`<base href="${base}"`), body);
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 3);
  });

  for (const [medium, status, policy] of [
    ['vast', 200, /sandbox allow-scripts$/],
    ['html', 200, /^default-src 'none'; script-src 'self';.* sandbox allow-scripts$/],
    ['live', 200, /sandbox allow-scripts allow-popups$/],
    ['toString', 404, /./],
  ] as const) {
    test(`play ads of ${medium} in an origin of its own: ${status}`, async () => {
      await using app = await served(root());
      const { statusCode, headers } = await app.get(`/console/player/${medium}`);
      assert.equal(statusCode, status);
      if (status === 200) assert.match(String(headers['content-security-policy']), policy);
    });
  }

  const files = [
    ['/console/assets/main.js', 200],
    ['/console/assets/main.js.br', 404],
    ['/console/assets/other.js', 404],
    ['/console/assets/..%2findex.html', 404],
    ['/console/assets/%2e%2e%2findex.html', 404],
  ] as const;
  for (const [path, status] of files) {
    test(`of the built files, and of no others: ${path} is ${status}`, async () => {
      await using app = await served(root());
      const { statusCode, headers } = await app.get(path);
      assert.equal(statusCode, status);
      if (status === 200) assert.match(String(headers['cache-control']), /immutable/);
    });
  }
});
