import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { anyone } from '../management/endpoint/access.ts';
import { ownMember } from '../reference/own-member.ts';
import type { BuiltConsole, ConsoleState } from './built-console.ts';
import { unavailablePage } from './unavailable-page.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Replaced by each answer's nonce in the built page. */
const noncePlace = 'BOURSE-NONCE';

/** Only what comes from here or carries the nonce. */
const contentPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');

/**
 * The page that plays test ads has its own origin and reaches nothing of the console. Of a banner nothing runs or loads
 * until the user wants it live: anything may be a tracker.
 */
const playerPolicies: ReadonlyMap<string, string> = new Map(
  Object.entries({
    vast: "default-src 'none'; script-src 'self'; style-src 'self'; media-src *; connect-src *; frame-ancestors 'self'; sandbox allow-scripts",
    html: "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-scripts",
    live: "default-src * data: blob: 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-scripts allow-popups",
  }),
);

/** A worker may ask the API, and nothing else. */
const scriptPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/** Relative, so that the console works below any base URL. */
const baseOf = (path: string): string => '../'.repeat(path.split('/').length - 2) || './';

type Ready = Extract<ConsoleState, { kind: 'ready' }>;

interface BuiltFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Brotli; absent if that saves nothing. */
  readonly packed: Buffer | undefined;
}

/** Reads a file once; only names that the build wrote. */
function filesOf(folder: string): (name: string) => BuiltFile | undefined {
  const assets = join(folder, 'assets');
  const names = new Set(readdirSync(assets));
  const read = new Map<string, BuiltFile>();
  return (name) => {
    const known = read.get(name);
    const type = ownMember(types, extname(name));
    if (known || type === undefined || !names.has(name)) return known;
    const packed = join(assets, `${name}.br`);
    const file = {
      type,
      plain: readFileSync(join(assets, name)),
      packed: existsSync(packed) ? readFileSync(packed) : undefined,
    };
    read.set(name, file);
    return file;
  };
}

/** Needs no token: it asks the API for all that it shows. */
export function registerConsole(app: FastifyInstance, { state }: Pick<BuiltConsole, 'state'>): void {
  const config = { access: anyone };
  let opened:
    | {
        readonly html: string;
        readonly player: string;
        readonly file: (name: string) => BuiltFile | undefined;
      }
    | undefined;
  const open = ({ folder }: Ready) => {
    const page = (name: string) => readFileSync(join(folder, name), 'utf8');
    opened ??= { html: page('index.html'), player: page('player.html'), file: filesOf(folder) };
    return opened;
  };
  for (const path of ['/', '/console', '/console/*']) {
    app.get(path, { config }, (request, reply) => {
      const now = state();
      const nonce = randomBytes(16).toString('base64url');
      const [asked = ''] = request.url.split('?', 1);
      reply.type('text/html; charset=utf-8').header('content-security-policy', contentPolicy(nonce));
      if (now.kind !== 'ready') {
        const { text, headers } = unavailablePage(now, nonce);
        return reply.code(503).headers(headers).send(text);
      }
      const html = open(now)
        .html.replaceAll(noncePlace, nonce)
        .replace('<base href="/"', `<base href="${baseOf(asked)}"`);
      return reply.send(html);
    });
  }
  app.get<{ Params: { medium: string } }>('/console/player/:medium', { config }, (request, reply) => {
    const now = state();
    const policy = playerPolicies.get(request.params.medium);
    if (now.kind !== 'ready' || policy === undefined) return reply.code(404).send();
    const html = open(now).player.replace('<base href="/"', '<base href="../../"');
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html);
  });
  app.get<{ Params: { name: string } }>('/console/assets/:name', { config }, (request, reply) => {
    const now = state();
    const file = now.kind === 'ready' ? open(now).file(request.params.name) : undefined;
    if (!file)
      return reply.code(404).type('text/plain').send('The console has no such file; reload the page.\n');
    const takesBrotli = /\bbr\b/.test(request.headers['accept-encoding']?.toString() ?? '');
    const packed = takesBrotli ? file.packed : undefined;
    if (packed) reply.header('content-encoding', 'br');
    return reply
      .type(file.type)
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        'content-security-policy': scriptPolicy,
        vary: 'accept-encoding',
      })
      .send(packed ?? file.plain);
  });
}
