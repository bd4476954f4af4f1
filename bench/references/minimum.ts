import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { printUrl } from './print-url.ts';

/** A minimum by hand: Fastify, a bearer check, JSON documents on SQLite. `node minimum.ts <database file> <token>` */
const [, , path = '', token = ''] = process.argv;
const database = new DatabaseSync(path);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
database.exec('CREATE TABLE IF NOT EXISTS document (id INTEGER PRIMARY KEY, doc TEXT NOT NULL)');
const find = database.prepare('SELECT doc FROM document WHERE id = ?');
const page = database.prepare('SELECT id, doc FROM document WHERE id > ? ORDER BY id LIMIT 200');
const insert = database.prepare('INSERT INTO document (doc) VALUES (?)');
const users = new Map([[hash('sha256', token), 1]]);
const json = 'application/json; charset=utf-8';

const app = fastify();

app.addHook('onRequest', async (request, reply) => {
  const [scheme, sent = ''] = request.headers.authorization?.split(' ') ?? [];
  if (scheme !== 'Bearer' || !users.has(hash('sha256', sent))) return reply.code(401).send();
});

app.get<{ Querystring: { Id: string } }>('/document', async ({ query }, reply) => {
  const row = find.get(query.Id);
  return row ? reply.type(json).send(row.doc) : reply.code(404).send();
});

app.post<{ Body: Readonly<Record<string, unknown>> }>('/document', async ({ body }) => {
  const { lastInsertRowid } = insert.run(JSON.stringify(body));
  return { Id: Number(lastInsertRowid), ...body };
});

function* allDocuments(): Generator<string> {
  let rows = page.all(0);
  let before = '[';
  while (rows.length > 0) {
    yield before + rows.map(({ doc }) => doc).join(',');
    before = ',';
    rows = page.all(Number(rows.at(-1)?.id));
  }
  yield ']';
}

app.get('/documents', (_request, reply) =>
  reply.type(json).send(Readable.from(allDocuments(), { objectMode: false })),
);

await app.listen({ host: '127.0.0.1', port: 0 });
printUrl(app.server);
