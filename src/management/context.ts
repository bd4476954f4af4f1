import type { IncomingMessage } from 'node:http';
import type { Identity } from '../identity/identity.ts';
import type { RetentionDays } from '../statistics/forgetting.ts';
import type { PerformanceView } from '../statistics/performance.ts';
import type { Store } from '../store/interface.ts';
import type { EdgeHome } from './edge/edge-home.ts';
import type { ExchangeView } from './exchange/exchange-view.ts';
import type { AnswerCache } from './http/answer-cache.ts';
import type { Links } from './present.ts';
import type { TeamTexts } from './search/team-texts.ts';

export interface Context {
  readonly store: Store;
  readonly identity: Identity;
  readonly exchange: ExchangeView;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Answers that need not be made again. */
  readonly cache: AnswerCache;
  /** How many days rows of cubes are kept. */
  readonly keptDays: RetentionDays;
  readonly hasMail: boolean;
  readonly edgeHome: EdgeHome;
  readonly texts: TeamTexts;
  /** Figures that objects show. */
  readonly performance: PerformanceView;
  /** URLs in answers begin with these; known once the server listens. */
  readonly links: () => Links;
  readonly clientAddress: (request: IncomingMessage) => string;
  /** Figures of all threads as Prometheus reads them. */
  readonly metrics: () => Promise<string>;
  /** Why requests cannot be served now; undefined where they can. Never rejects. */
  readonly trouble: () => Promise<string | undefined>;
  /** Whether the server is about to stop. */
  readonly isStopping: () => boolean;
  /** The OpenAPI document of all endpoints. */
  readonly document: () => object;
}

/** Identifies a request that the client may repeat (`Idempotency-Key`). */
export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 in base64url of user, path, parameters and body: the same key stands for the same request. */
  readonly requestHash: string;
}

/** What a request is answered with: text, whole or in pieces as it becomes known. */
export interface Answer {
  /** Media type; JSON unless another is named. */
  readonly type?: string;
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  /** 200 unless another is named. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}
