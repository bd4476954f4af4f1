import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { guideCode, runCommands } from '../support/guide-code.ts';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { borrowBrowser, returnBrowser } from '../support/shared-browser.ts';
import { bundle } from './prebid-bundle.ts';

const guide = 'prebid-js.md';

let server: TestServer;
let browser: Browser;
before(async () => {
  [server, browser] = await Promise.all([startTestServer(), borrowBrowser()]);
});
after(async () => {
  await Promise.all([server.close(), returnBrowser()]);
});

/** The modules that the guide builds, as a module that imports them. */
function build(): string {
  const [commands = ''] = guideCode(guide, 'The script', 'text');
  const modules = /--modules=(\S+)/.exec(commands)?.[1]?.split(',') ?? [];
  assert.ok(modules.includes('bourseBidAdapter'), commands);
  const own = ['./bourseBidAdapter.js'];
  const others = modules
    .filter((name) => name !== 'bourseBidAdapter')
    .map((name) => `prebid.js/modules/${name}.js`);
  return [
    "import pbjs from 'prebid.js';",
    ...[...own, ...others].map((name) => `import '${name}';`),
    'pbjs.processQueue();',
  ].join('\n');
}

/** What the guide's calls print. */
function callAll(headings: readonly string[]): Promise<string> {
  const [login = ''] = guideCode('first-ad.md', 'As API calls', 'sh');
  const calls = headings.flatMap((heading) => guideCode(guide, heading, 'sh'));
  return runCommands([login, ...calls], {
    BOURSE: server.url,
    MAIL: server.mail,
    PASSWORD: server.password,
  });
}

test('the guide to Prebid.js leads to a banner in a page, as it says', async () => {
  const output = await callAll(['The endpoint', 'The page']);
  const integrations = JSON.parse(output.trim().split('\n').at(-1) ?? '') as {
    readonly Name: string;
    readonly Codes: readonly { readonly Code: string }[];
  }[];
  const code = integrations.find(({ Name }) => Name === 'prebidJs')?.Codes[0]?.Code ?? '';
  const script = await bundle(build());
  const site: Loopback = await listenOnLoopback(
    createServer(({ url }, response) => {
      const isScript = url === '/prebid.js';
      response
        .writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
        .end(isScript ? script : `<!doctype html><title>News</title>${code}`);
    }),
  );
  try {
    const page = await browser.newPage();
    const isShown = async () => {
      const texts = page.frames().map((frame) => frame.getByText('Our first banner').isVisible());
      return (await Promise.all(texts)).includes(true);
    };
    // The exchange serves what was added within a second.
    await eventually(async () => {
      await page.goto(site.url.replace('127.0.0.1', 'localhost'));
      await page.waitForRequest(/impression/, { timeout: 2000 });
      await eventually(async () => assert.ok(await isShown()), 'its text');
    }, 'the banner');
    await page.close();
  } finally {
    await site.close();
  }
});
