import { hash } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';
import { printUrl } from './print-url.ts';

/** The same minimum on PostgreSQL, with prepared statements and a pool. `node minimum-postgres.ts <database URL>` */
const [, , connectionString = ''] = process.argv;
const pool = new pg.Pool({ connectionString, max: 10 });
const json = 'application/json; charset=utf-8';

const userOf = (token: string) =>
  pool.query({
    name: 'user',
    text: 'select user_id from token where hash = $1',
    values: [hash('sha256', token)],
  });
const find = (id: string) =>
  pool.query<{ doc: string }>({ name: 'find', text: 'select doc from document where id = $1', values: [id] });
const insert = (doc: string) =>
  pool.query<{ id: number }>({
    name: 'insert',
    text: 'insert into document (doc) values ($1) returning id',
    values: [doc],
  });

const app = fastify();

app.addHook('onRequest', async (request, reply) => {
  const [scheme, sent = ''] = request.headers.authorization?.split(' ') ?? [];
  if (scheme !== 'Bearer' || (await userOf(sent)).rows.length === 0) return reply.code(401).send();
});

app.get<{ Querystring: { Id: string } }>('/document', async ({ query }, reply) => {
  const [row] = (await find(query.Id)).rows;
  return row ? reply.type(json).send(row.doc) : reply.code(404).send();
});

app.post<{ Body: Readonly<Record<string, unknown>> }>('/document', async ({ body }) => {
  const [row] = (await insert(JSON.stringify(body))).rows;
  return { Id: row?.id, ...body };
});

await app.listen({ host: '127.0.0.1', port: 0 });
printUrl(app.server);
