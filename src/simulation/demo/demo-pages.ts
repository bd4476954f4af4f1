import type { IncomingMessage, ServerResponse } from 'node:http';
import { demoPath, filmPath, landingPath, mockDspPath, playerPath } from '../../reference/demo-paths.ts';
import { ownMember } from '../../reference/own-member.ts';
import { createMockDsps, type MockDspOptions, type MockDsps } from '../mock-dsps/mock-dsps.ts';
import type { Random } from '../random.ts';
import { type Asset, demoAsset, packageAsset, sendAsset } from './asset.ts';

export interface DemoPagesOptions extends Pick<MockDspOptions, 'keys'> {
  readonly random: Random;
  /** Where players reach this server. */
  readonly baseUrl: () => string;
  /** As in the JSON answer. */
  readonly tags: () => readonly object[];
  /** Of one tag, the newest first. */
  readonly auctions: (tagId: number) => Promise<readonly object[]>;
  /** Of one tag today: a row, or none. */
  readonly statistics: (tagId: number) => Promise<readonly object[]>;
}

export interface DemoPages extends Pick<MockDsps, 'counts'> {
  /** Below `/demo`; false, with nothing done, if there is no such path. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Media and trackers of ads may come from anywhere, scripts and styles only from here. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src * data:',
  'media-src *',
  'connect-src *',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const client = () => import.meta.resolve('@dailymotion/vast-client/dist/vast-client.min.js');

const player = () => import.meta.resolve('../../../assets/vast-player.js');

const page = (name: string): Asset => ({ ...demoAsset(name, html), pagePolicy });

const files: Readonly<Record<string, () => Asset>> = {
  [playerPath]: () => page('player.html'),
  [`${demoPath}/player.js`]: () => demoAsset('player.js', script),
  [`${demoPath}/player.css`]: () => demoAsset('player.css', 'text/css; charset=utf-8'),
  [`${demoPath}/vast-player.js`]: () => packageAsset(player(), script),
  [`${demoPath}/vast-client.js`]: () => packageAsset(client(), script),
  [landingPath]: () => page('advertiser.html'),
  [filmPath]: () => demoAsset('film.mp4', 'video/mp4'),
};

function sendJson(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}

function answersOf({ tags, auctions, statistics }: DemoPagesOptions) {
  return {
    [`${demoPath}/tags`]: async () => tags(),
    [`${demoPath}/auctions`]: (query: URLSearchParams) => auctions(Number(query.get('tag'))),
    [`${demoPath}/statistics`]: (query: URLSearchParams) => statistics(Number(query.get('tag'))),
  } satisfies Readonly<Record<string, (query: URLSearchParams) => Promise<unknown>>>;
}

export function createDemoPages(options: DemoPagesOptions): DemoPages {
  const { random, baseUrl, keys } = options;
  const mocks = createMockDsps({
    mount: mockDspPath,
    keys,
    random,
    baseUrl,
    media: filmPath,
    mediaType: 'video/mp4',
    landing: landingPath,
  });
  const answers: Readonly<Record<string, (query: URLSearchParams) => Promise<unknown>>> = answersOf(options);
  const read = new Map<string, Asset>();
  const assetAt = (path: string): Asset | undefined => {
    const asset = read.get(path) ?? ownMember(files, path)?.();
    if (asset) read.set(path, asset);
    return asset;
  };
  return {
    counts: mocks.counts,
    handle(request, response) {
      if (mocks.handle(request, response)) return true;
      const [path = '', query = ''] = (request.url ?? '').split('?', 2);
      const answer = ownMember(answers, path);
      const asset = answer ? undefined : assetAt(path);
      if (!answer && !asset) return false;
      request.resume();
      if (asset) sendAsset(request, response, asset);
      answer?.(new URLSearchParams(query)).then(
        (value) => sendJson(response, value),
        () => response.writeHead(500).end(),
      );
      return true;
    },
  };
}
