import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { sayWhere } from './say-where.ts';

/**
 * The limit: bare `node:http` that sends the bytes of one file from memory, whatever is asked.
 * `node limit.ts <file>`
 */
const [, , file = ''] = process.argv;
const bytes = readFileSync(file);
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => sayWhere(server));
