import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Ending, runToEnd, type SpawnedServer, spawnServer } from './spawned-server.ts';
import { startValidatingProxy, type ValidatingProxy } from './support/validating-proxy.ts';

const root = join(import.meta.dirname, '..');
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const password = 'a-password-for-the-tour';

/** The tour as one shell script: every block of the page, in order. */
const tour = [...read('docs/guide/tour.md').matchAll(/```sh\n(.*?)```/gs)]
  .map(([, block]) => block)
  .join('\n');

let folder: string;
let server: SpawnedServer;
let proxy: ValidatingProxy;
let walked: Ending;
let answers: readonly unknown[];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-tour-'));
  const env = { ...process.env, BOURSE_PORT: '0', BOURSE_ADMIN_PASSWORD: password };
  server = await spawnServer(process.execPath, [join(root, 'bin/bourse.js'), 'serve'], { cwd: folder, env });
  proxy = await startValidatingProxy(server.url);
  walked = await runToEnd('bash', ['-euo', 'pipefail', '-c', tour], {
    cwd: root,
    // Warnings of npm are about the machine's own settings.
    env: { ...process.env, BOURSE: proxy.url, PASSWORD: password, npm_config_loglevel: 'error' },
  });
  answers = walked.output
    .split('\n')
    // curl says of the last call, which is refused, that it has failed.
    .filter((line) => line !== '' && !line.startsWith('<?xml') && !line.startsWith('curl: (22)'))
    .map((line) => (line.startsWith('<') ? { hasAd: line.includes('film.mp4') } : JSON.parse(line)));
});

after(async () => {
  await proxy.close();
  server.process.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** What each command of the tour answers, in its order. */
const expected: readonly (readonly [step: string, answer: object])[] = [
  ['add publisher', { Status: 'Ok', Publisher: { Id: 1, Name: 'Example Media', StatusString: 'Active' } }],
  ['add VAST tag', { Status: 'Ok', VastTag: { Id: 1, PublisherName: 'Example Media', Bidfloor: 1.5 } }],
  ['add advertiser', { Status: 'Ok', Advertiser: { Id: 1, Name: 'Brand' } }],
  ['add DSP VAST tag', { Status: 'Ok', DspRtbEp: { Id: 1, FixedCpm: 4.2, VastTags: [1] } }],
  ['fetch DSP VAST tag', { Id: 1, Name: 'Spring', AdvertiserName: 'Brand', VastTags: [1] }],
  ['fetch VAST tags', [{ Id: 1, DspVastTags: [1], Status: 0 }]],
  ['deactivate', { Status: 'Ok', DspRtbEp: { Id: 1, Status: 1, StatusString: 'Inactive' } }],
  ['add campaign', { Status: 'Ok', Campaign: { Id: 1, Cpm: 5, VastTags: [2] } }],
  ['show an ad', { hasAd: true }],
  ['ask why', { Status: 'Ok', Outcome: 'won', Candidates: [{ Entity: 'Campaign', Id: 1, Price: 5 }] }],
  ['see ads flow', { seed: 1, skipped: 0, errors: {} }],
  [
    'error',
    {
      Status: 'Error',
      Errors: [
        { Path: 'VastTag.Maxqps', Code: 'unknown_field' },
        { Path: 'VastTag.Countries[0].CC', Code: 'format' },
      ],
    },
  ],
];

test('the tour runs to its end', () => {
  assert.equal(walked.code, 0, walked.output);
  assert.equal(answers.length, expected.length, walked.output);
});

for (const [index, [step, answer]] of expected.entries()) {
  test(`the tour: ${step}`, () => assert.partialDeepStrictEqual(answers[index], answer));
}

test('the tour: every request and answer is as the OpenAPI document says', () => {
  assert.ok(proxy.checked() >= expected.length, `${proxy.checked()} requests`);
  assert.deepEqual(proxy.faults, []);
});

const guides = globSync('docs/guide/*.md', { cwd: root });
for (const page of ['README.md', 'sdk/README.md', 'docs/operations.md', 'docs/performance.md', ...guides]) {
  test(`every curl of ${page} shows errors, and says what it sends`, () => {
    const blocks = [...read(page).matchAll(/```(?:sh|text)\n(.*?)```/gs)];
    const script = blocks.map(([, block = '']) => block.replaceAll('\\\n', ' ')).join('\n');
    for (const line of script.split('\n').filter((text) => /\bcurl /.test(text))) {
      assert.match(line, /--fail-with-body/);
      assert.match(line, / -sS |--show-error/);
      if (/ (-d|--data)\b/.test(line)) assert.match(line, /-H "\$JSON"|Content-Type: application\/json/);
    }
  });
}

test('CONTRIBUTING.md names the packages of which npm warns on Node 20, and Bourse is none of them', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { engines?: { node?: string } }>;
  };
  const names = Object.entries(packages).flatMap(([path, { engines }]) =>
    /^>=\s*(2[1-9]|[3-9]\d)[\d.]*$/.test(engines?.node ?? '') ? [path.replace('node_modules/', '')] : [],
  );
  const told = /three packages, (.*?):/.exec(read('CONTRIBUTING.md'))?.[1]?.matchAll(/`([^`]+)`/g) ?? [];
  assert.deepEqual([...told].map(([, name]) => name).sort(), names.sort());
});
