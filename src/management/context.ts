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
import type { TeamFigures } from './team-figures.ts';

export interface Context {
  readonly store: Store;
  readonly identity: Identity;
  readonly exchange: ExchangeView;
  readonly now: () => number;
  readonly cache: AnswerCache;
  readonly keptDays: RetentionDays;
  readonly hasMail: boolean;
  readonly edgeHome: EdgeHome;
  readonly texts: TeamTexts;
  readonly performance: PerformanceView;
  readonly teamFigures: TeamFigures;
  /** Known once the server listens. */
  readonly links: () => Links;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly metrics: () => Promise<string>;
  /** Undefined if all is well. Never rejects. */
  readonly trouble: () => Promise<string | undefined>;
  readonly isStopping: () => boolean;
  readonly document: () => object;
}

/** Of a request that may be repeated (`Idempotency-Key`). */
export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 in base64url of user, path, parameters and body. */
  readonly requestHash: string;
}

/** Whole or in pieces. */
export interface Answer {
  /** Media type; JSON by default. */
  readonly type?: string;
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}
