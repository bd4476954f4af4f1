import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { stableHash } from '../../src/shared/hash.ts';
import { eventually } from '../support/eventually.ts';

const run = promisify(execFile);
/** A release, by Go's checksum database. */
export const release = 'v3.30.0';
const adapter = fileURLToPath(new URL('../../integrations/prebid-server/', import.meta.url));

/** Lines of a file that name another adapter, each once more with ours. */
function register(path: string, patterns: readonly (readonly [like: RegExp, line: string])[]): void {
  let text = readFileSync(path, 'utf8');
  for (const [like, line] of patterns) {
    if (!like.test(text)) throw new Error(`${path} has no line like ${like.source}`);
    text = text.replace(like, (found) => `${found}\n${line}`);
  }
  writeFileSync(path, text);
}

/** A checkout of prebid-server with our adapter, as a pull request would leave it; made once. */
export async function checkout(): Promise<string> {
  const module = `github.com/prebid/prebid-server/v3@${release}`;
  const { stdout } = await run('go', ['mod', 'download', '-json', module], { cwd: tmpdir() });
  const { Dir } = JSON.parse(stdout) as { readonly Dir: string };
  const name = stableHash(readFileSync(fileURLToPath(import.meta.url), 'utf8')).toString(16);
  const folder = join(tmpdir(), `bourse-prebid-server-${release}-${name}`);
  if (!existsSync(folder)) {
    const fresh = mkdtempSync(`${folder}-`);
    await run('cp', ['-r', '--no-preserve=mode', `${Dir}/.`, fresh]);
    register(join(fresh, 'openrtb_ext/bidders.go'), [
      [/^\tBidderBoldwinRapid,$/m, '\tBidderBourse,'],
      [/^\tBidderBoldwinRapid +BidderName = .*$/m, '\tBidderBourse BidderName = "bourse"'],
    ]);
    register(join(fresh, 'exchange/adapter_builders.go'), [
      [
        /^\t"github.com\/prebid\/prebid-server\/v3\/adapters\/boldwin_rapid"$/m,
        '\t"github.com/prebid/prebid-server/v3/adapters/bourse"',
      ],
      [/^\t\topenrtb_ext\.BidderBoldwinRapid:.*$/m, '\t\topenrtb_ext.BidderBourse: bourse.Builder,'],
    ]);
    renameSync(fresh, folder);
  }
  cpSync(adapter, folder, { recursive: true });
  return folder;
}

/** Runs Go's own tests of the adapter; throws what they print if one fails. */
export async function testAdapter(folder: string): Promise<string> {
  const { stdout } = await run('go', ['test', '-count=1', '-v', './adapters/bourse'], { cwd: folder });
  return stdout;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** prebid-server with our adapter and, as an operator has it, the file of an alias. */
export async function startPrebidServer(
  folder: string,
  alias: { readonly FileName: string; readonly Code: string },
) {
  const program = join(folder, 'prebid-server-with-bourse');
  await run('go', ['build', '-o', program, '.'], { cwd: folder });
  const home = mkdtempSync(join(tmpdir(), 'bourse-prebid-server-run-'));
  cpSync(join(folder, 'static'), join(home, 'static'), { recursive: true });
  const info = (name: string, text: string) => writeFileSync(join(home, 'static/bidder-info', name), text);
  info(alias.FileName, alias.Code);
  // Its own file names an endpoint that its own check refuses.
  info('m152.yaml', 'aliasOf: teqblaze\nendpoint: "http://127.0.0.1/"\ndisabled: true\n');
  const port = await freePort();
  writeFileSync(
    join(home, 'pbs.yaml'),
    `external_url: http://localhost:${port}
host: 127.0.0.1
port: ${port}
admin: { enabled: false }
status_response: ok
gdpr: { enabled: false, default_value: "0" }
currency_converter: { fetch_url: "", fetch_interval_seconds: 0 }
auction_timeouts_ms: { default: 1000, max: 5000 }
`,
  );
  const child = spawn(program, [], { cwd: home, stdio: ['ignore', 'ignore', 'pipe'] });
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
    close: async () => {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(home, { recursive: true });
    },
  };
}
