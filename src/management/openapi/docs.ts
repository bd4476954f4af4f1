import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { docsHtml, docsScript, docsStyle } from './docs-page.ts';
import { openApiDocument } from './document.ts';

/** Something that stays the same while the server runs, made when it is first asked for. */
interface Page {
  readonly type: string;
  readonly plain: Buffer;
  readonly zipped: Buffer;
  readonly etag: string;
}

/** Allows the page its own host and no other, whatever its library may try to load. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function pageOf(type: string, content: string | Buffer): Page {
  const plain = Buffer.from(content);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { type, plain, zipped: gzipSync(plain), etag: `"${hash}"` };
}

/** Files of the page's library, where it is installed. */
const libraryScript = () => import.meta.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js');
const libraryStyle = () => import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css');

function send(request: FastifyRequest, reply: FastifyReply, { type, plain, zipped, etag }: Page) {
  reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  reply.type(type);
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(zipped);
}

/** What is served, by path. */
function pagesOf({ links }: Context): Readonly<Record<string, () => Page>> {
  const script = 'text/javascript; charset=utf-8';
  const style = 'text/css; charset=utf-8';
  return {
    '/api/openapi.json': () =>
      pageOf('application/json; charset=utf-8', JSON.stringify(openApiDocument(links()))),
    '/docs': () => pageOf('text/html; charset=utf-8', docsHtml),
    '/docs/page.js': () => pageOf(script, docsScript),
    '/docs/page.css': () => pageOf(style, docsStyle),
    '/docs/swagger-ui.js': () => pageOf(script, readFileSync(new URL(libraryScript()))),
    '/docs/swagger-ui.css': () => pageOf(style, readFileSync(new URL(libraryStyle()))),
  };
}

/** Paths that people try when they look for the page. */
const waysToPage = ['/', '/docs/'];

/** The OpenAPI document at `/api/openapi.json` and its reference page at `/docs`, both without a token. */
export function registerDocs(app: FastifyInstance, context: Context): void {
  for (const path of waysToPage) {
    app.get(path, { config: { public: true } }, (_request, reply) => reply.redirect('/docs'));
  }
  for (const [path, make] of Object.entries(pagesOf(context))) {
    let page: Page | undefined;
    app.get(path, { config: { public: true } }, (request, reply) => {
      page ??= make();
      if (path === '/docs') reply.header('content-security-policy', contentPolicy);
      return send(request, reply, page);
    });
  }
}
