import type { FastifyRequest } from 'fastify';

const parameter = 'Download';

/** Last in the URL, so that the path it was made for comes before it. */
const lastParameter = /^(?<path>[^#]+)[?&]Download=(?<link>[\w-]+)$/;

/** Below `/api`, with its query; undefined if it leads elsewhere or names a link already. */
export function downloadPath(sent: string): string | undefined {
  const host = 'http://localhost';
  const url = sent.startsWith('/') && URL.canParse(sent, host) ? new URL(sent, host) : undefined;
  const isOurs = url?.origin === host && url.pathname.startsWith('/api/') && url.hash === '';
  return isOurs && !url.searchParams.has(parameter) ? url.pathname + url.search : undefined;
}

export function downloadUrl(path: string, link: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${parameter}=${link}`;
}

/** The endpoint does not see the link. */
export function sentDownload(request: FastifyRequest): { path: string; link: string } | undefined {
  const { path, link } = lastParameter.exec(request.url)?.groups ?? {};
  if (request.method !== 'GET' || path === undefined || link === undefined) return undefined;
  delete (request.query as Record<string, unknown>)[parameter];
  return { path, link };
}
