import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { chdbFolder } from './engine-folder.ts';

/**
 * ClickHouse in a process of its own: the library, behind as much of the server's HTTP protocol as its client speaks.
 * Arguments: folder of its data, port (0 = any), user, password. Prints the port once it listens. It answers one request
 * at a time. `lose <n>` on its input: the next n insertions of rows are done, and their connections broken before an
 * answer.
 */
const [folder = '', port = '0', user = '', password = ''] = process.argv.slice(2);

interface Session {
  query(text: string, format?: string): string;
}
const load = createRequire(import.meta.url);
const { Session } = load(join(chdbFolder, 'node_modules/chdb')) as {
  Session: new (folder: string, options?: object) => Session;
};
const session = new Session(folder, { connectionArgs: ['--max_threads=2'] });

let toLose = 0;
process.stdin.setEncoding('utf8').on('data', (text: string) => {
  const [, count] = /^lose (\d+)/.exec(text) ?? [];
  if (count !== undefined) {
    toLose = Number(count);
    process.stdout.write('ready to lose\n');
  }
});

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
/** Parameters of the protocol, which are no settings. */
const ofProtocol = new Set(['query', 'database', 'query_id', 'default_format', 'session_id', 'role']);

/** The members of a form, as a client sends long parameters. */
async function formOf(headers: IncomingMessage['headers'], body: Buffer): Promise<Map<string, string>> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return new Map();
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  return new Map([...form].map(([name, value]) => [name, String(value)]));
}

function isKnown({ authorization = '', ...headers }: IncomingMessage['headers']): boolean {
  const [name, key] = authorization.startsWith('Basic ')
    ? Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')
    : [headers['x-clickhouse-user'], headers['x-clickhouse-key']];
  return name === user && key === password;
}

function fail(response: ServerResponse, message: string): void {
  const [, code = '1000'] = /Code: (\d+)/.exec(message) ?? [];
  response.writeHead(code === '516' ? 403 : 400, { 'X-ClickHouse-Exception-Code': code }).end(message);
}

/** Runs statements, and answers the result of the last one. */
function run(statements: readonly string[], format: string): string {
  return statements.map((text) => session.query(text, format)).at(-1) ?? '';
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://engine');
  if (url.pathname === '/ping') return void response.end('Ok.\n');
  const sent = await buffer(request);
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
  if (!isKnown(request.headers))
    return fail(response, 'Code: 516. DB::Exception: no such user. (AUTHENTICATION_FAILED)');
  const form = await formOf(request.headers, body);
  const given = new Map([...url.searchParams, ...form]);
  const inUrl = given.get('query');
  const data = form.size > 0 ? '' : body.toString();
  const query = inUrl === undefined ? data : inUrl;
  const names = [...given.keys()].filter((name) => !ofProtocol.has(name));
  const database = given.get('database') ?? 'default';
  const text = inUrl !== undefined && data !== '' ? `${query}\n${data}` : query;
  const [, named] = /\bFORMAT\s+(\w+)\s*$/i.exec(query) ?? [];
  try {
    const values = names.map((name) => `${name} = ${quoted(given.get(name) ?? '')}`);
    const result = run(
      [
        ...(names.length > 0 ? [`SET ${values.join(', ')}`] : []),
        `USE \`${database.replaceAll('`', '')}\``,
        text,
      ],
      named ?? 'TabSeparated',
    );
    const isOfRows = /^INSERT INTO bourse_fact/i.test(query);
    if (isOfRows && toLose > 0) {
      toLose -= 1;
      return void request.socket.destroy();
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(result);
  } catch (error) {
    fail(response, error instanceof Error ? error.message : String(error));
  } finally {
    const settings = names.filter((name) => !name.startsWith('param_'));
    if (settings.length > 0) session.query(`SET ${settings.map((name) => `${name} = DEFAULT`).join(', ')}`);
  }
}

// It ends with the test that has started it, however that ends.
process.stdin.on('end', () => process.exit());

let queue = Promise.resolve();
const server = createServer((request, response) => {
  queue = queue.then(() => answer(request, response)).catch((error) => fail(response, String(error)));
});
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
