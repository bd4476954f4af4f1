import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { guideCode, runCommands } from '../support/guide-code.ts';

const run = promisify(execFile);
const adapters = fileURLToPath(new URL('../../integrations/', import.meta.url));
const [build = '', start = '', ask = ''] = guideCode('prebid-server.md', 'In Go', 'sh');
/** The release that the guide names. */
export const release = /--branch (v\S+)/.exec(build)?.[1] ?? '';

/** `git clone`, with what Go's proxy has of the release, by its checksum, in place of what GitHub has. */
const clone = `git() {
  if [[ "$*" == "clone --depth 1 --branch $RELEASE https://github.com/prebid/prebid-server.git" ]]
  then cp -r --no-preserve=mode "$SOURCES" prebid-server
  else command git "$@"
  fi
}`;

/** The folder in which the guide's commands have built prebid-server. */
export async function buildPrebidServer(): Promise<string> {
  const module = `github.com/prebid/prebid-server/v3@${release}`;
  const { stdout } = await run('go', ['mod', 'download', '-json', module], { cwd: tmpdir() });
  const { Dir: SOURCES } = JSON.parse(stdout) as { readonly Dir: string };
  const home = mkdtempSync(join(tmpdir(), 'bourse-prebid-server-'));
  symlinkSync(adapters, join(home, 'integrations'));
  // What Go has compiled before serves a folder of another name, too.
  await runCommands([clone, build], { RELEASE: release, SOURCES, GOFLAGS: '-trimpath' }, home);
  return join(home, 'prebid-server');
}

/** Runs Go's own tests of the adapter; throws what they print if one fails. */
export async function testAdapter(folder: string): Promise<string> {
  const env = { ...process.env, GOFLAGS: '-trimpath' };
  const { stdout } = await run('go', ['test', '-count=1', '-v', './adapters/bourse'], { cwd: folder, env });
  return stdout;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** prebid-server with these files, by their paths in its folder, started as the guide says. */
export async function startPrebidServer(folder: string, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const port = await freePort();
  const child = spawn('bash', ['-c', start], {
    cwd: folder,
    env: {
      ...process.env,
      PBS_HOST: '127.0.0.1',
      PBS_PORT: String(port),
      PBS_EXTERNAL_URL: `http://localhost:${port}`,
      PBS_STATUS_RESPONSE: 'ok',
      // What would ask others over the network.
      PBS_ADMIN_ENABLED: 'false',
      PBS_GDPR_ENABLED: 'false',
      PBS_CURRENCY_CONVERTER_FETCH_INTERVAL_SECONDS: '0',
      PBS_AUCTION_TIMEOUTS_MS_DEFAULT: '1000',
      PBS_AUCTION_TIMEOUTS_MS_MAX: '5000',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (part) => {
    log += part;
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(log);
    if (!(await fetch(`${url}/status`)).ok) throw new Error('not ready');
  }, 'prebid-server');
  return {
    url,
    /** What the guide's request is answered. */
    ask: () => runCommands([ask], { PREBID_SERVER: url }),
    close: async () => {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(join(folder, '..'), { recursive: true });
    },
  };
}
