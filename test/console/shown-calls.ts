import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from '../spawned-server.ts';
import { listenOnLoopback } from '../support/loopback.ts';

/** A call as the console shows it: for a shell, and for a program. */
export interface ShownCall {
  readonly curl: string;
  readonly client: string;
}

/** A request as it arrives. */
export interface SentCall {
  readonly method: string;
  /** Path and query, their parameters in an order of their own. */
  readonly address: string;
  readonly ifMatch: string | undefined;
  /** What the JSON or the form holds; of a file its text. */
  readonly content: unknown;
}

const root = join(import.meta.dirname, '..', '..');
const sdk = join(root, 'sdk', 'client.ts');
const token = 'a token for the calls that are shown';

/** A path with its query, so that two that say the same are the same. */
export function addressOf(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}

async function contentOf({ headers }: IncomingMessage, body: Buffer): Promise<unknown> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return body.length === 0 ? undefined : JSON.parse(body.toString());
  const form = await new Response(Uint8Array.from(body), { headers: { 'content-type': type } }).formData();
  const fields = [...form].map(async ([name, value]) => [
    name,
    typeof value === 'string' ? value : await value.text(),
  ]);
  return Object.fromEntries(await Promise.all(fields));
}

/** A server that keeps what it is sent, by the number with which an address begins, and refuses who has no token. */
async function startRecorder() {
  const sent = new Map<number, SentCall>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, number = '', path = ''] = /^\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    if (isKnown) {
      sent.set(Number(number), {
        method: request.method ?? '',
        address: addressOf(path),
        ifMatch: request.headers['if-match'],
        content: await contentOf(request, Buffer.concat(chunks)),
      });
    }
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end('{"Status":"Ok"}');
  });
  return { sent, ...(await listenOnLoopback(server)) };
}

/** What arrives where each call is made as it is shown, by a shell and by a program; the compiler's word on the latter. */
export async function runShown(
  calls: readonly ShownCall[],
  shownUrl: string,
  files: Readonly<Record<string, string>>,
) {
  const recorder = await startRecorder();
  const folder = mkdtempSync(join(tmpdir(), 'bourse-calls-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const asSent = (text: string, index: number) =>
    text
      .replace(`curl '${shownUrl}/`, `curl '${recorder.url}/${index}/`)
      .replace(`curl -G '${shownUrl}/`, `curl -G '${recorder.url}/${index}/`)
      .replace(`baseUrl: "${shownUrl}"`, `baseUrl: "${recorder.url}/${index}"`);
  const env = { ...process.env, BOURSE_TOKEN: token };
  const run = async (command: string, args: readonly string[]) => {
    recorder.sent.clear();
    const { output } = await runToEnd(command, args, { cwd: folder, env });
    return { sent: new Map(recorder.sent), output };
  };
  try {
    for (const [name, text] of Object.entries(files)) write(name, text);
    const scripts = calls.map(({ curl }, index) => asSent(curl, index).replaceAll('curl ', 'curl -sS '));
    write('all.sh', scripts.join('\n'));
    for (const [index, { client }] of calls.entries())
      write(`${index}.mts`, asSent(client, index).replaceAll("'bourse/client'", `'${sdk}'`));
    write('all.mjs', calls.map((_, index) => `await import('./${index}.mts');`).join('\n'));
    write(
      'tsconfig.json',
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { typeRoots: [join(root, 'node_modules', '@types')] },
        include: ['*.mts'],
      }),
    );
    const shell = await run('sh', ['all.sh']);
    const program = await run(process.execPath, ['all.mjs']);
    const { output } = await run(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      folder,
    ]);
    return { shell, program, compiler: output };
  } finally {
    rmSync(folder, { recursive: true });
    await recorder.close();
  }
}
