import { readFileSync } from 'node:fs';
import { corsHeaders, refuseMethod } from '../cors-headers.ts';
import type { DeliveryEndpoint } from '../delivery-endpoint.ts';

const playerPath = '/banner/player.js';

const client = () => import.meta.resolve('@dailymotion/vast-client/dist/vast-client.min.js');

/** The page's player, and the library with which it follows wrappers and calls trackers. */
const scripts: ReadonlyMap<string, () => string> = new Map([
  [playerPath, () => import.meta.resolve('../../../../assets/banner/player.js')],
  ['/banner/vast-player.js', () => import.meta.resolve('../../../../assets/vast-player.js')],
  ['/banner/vast-client.js', client],
]);

const read = new Map<string, Buffer>();

function scriptAt(path: string): Buffer | undefined {
  const found = read.get(path) ?? scripts.get(path);
  if (typeof found !== 'function') return found;
  const script = readFileSync(new URL(found()));
  read.set(path, script);
  return script;
}

/** Below `/banner/`: the scripts of a page that plays a video. */
export const playerEndpoint: DeliveryEndpoint = {
  path: '/banner/',
  serve(request, response) {
    if (refuseMethod(request, response)) return;
    const script = scriptAt(request.url?.split('?', 1)[0] ?? '');
    if (script === undefined) {
      response.writeHead(404, corsHeaders(request, { 'content-length': 0 })).end();
      return;
    }
    const headers = {
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': script.length,
      'cache-control': 'public, max-age=3600',
    };
    response.writeHead(200, corsHeaders(request, headers));
    response.end(request.method === 'HEAD' ? undefined : script);
  },
};

/** A page that plays a VAST document, whose trackers count. */
export function videoPage(vast: string, baseUrl: string): string {
  const safe = JSON.stringify(vast).replaceAll('<', '\\u003c');
  return `<!doctype html><html><head><meta charset="utf-8"><style>html,body{margin:0;height:100%;overflow:hidden}video{width:100%;height:100%;cursor:pointer}</style></head><body><video muted playsinline></video><script type="application/json" id="vast">${safe}</script><script type="module" src="${baseUrl}${playerPath}"></script></body></html>`;
}
