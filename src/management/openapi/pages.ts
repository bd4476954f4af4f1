import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { anyone } from '../endpoint/access.ts';
import { send } from '../http/send.ts';
import { docsHtml, docsScript, docsStyle } from './docs-page.ts';
import { type Page, pageAnswer, pageOf } from './page.ts';

/** Only the page's own host, whatever its library may try to load. */
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

const libraryScript = () => import.meta.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js');
const libraryStyle = () => import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css');

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

const pages: Readonly<Record<string, () => Page>> = {
  '/docs': () => pageOf('text/html; charset=utf-8', docsHtml),
  '/docs/page.js': () => pageOf(script, docsScript),
  '/docs/page.css': () => pageOf(style, docsStyle),
  '/docs/swagger-ui.js': () => pageOf(script, readFileSync(new URL(libraryScript()))),
  '/docs/swagger-ui.css': () => pageOf(style, readFileSync(new URL(libraryStyle()))),
};

export function leadToDocs(app: FastifyInstance, path = '/'): void {
  app.get(path, { config: { access: anyone } }, (_request, reply) => reply.redirect('/docs'));
}

/** Without a token. */
export function registerDocs(app: FastifyInstance): void {
  const config = { access: anyone };
  leadToDocs(app, '/docs/');
  for (const [path, make] of Object.entries(pages)) {
    let page: Page | undefined;
    app.get(path, { config }, async ({ headers }, reply) => {
      page ??= make();
      if (path === '/docs') reply.header('content-security-policy', contentPolicy);
      const asked = {
        ifNoneMatch: headers['if-none-match'],
        acceptEncoding: headers['accept-encoding']?.toString(),
      };
      return send(reply, pageAnswer(page, asked));
    });
  }
}
