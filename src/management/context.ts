import type { Entity, Operation } from '../entities/entity.ts';
import type { Fault } from '../fields/fault.ts';
import type { PerformanceView } from '../statistics/performance.ts';
import type { Bearer } from '../store/identity-interface.ts';
import type { Store } from '../store/interface.ts';
import type { PairJudge } from './exchange/pair-warnings.ts';
import type { AnswerCache } from './http/answer-cache.ts';
import type { Links } from './present.ts';

/** What every operation works with. */
export interface Context {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Answers that need not be made again. */
  readonly cache: AnswerCache;
  /** Figures that objects show. */
  readonly performance: PerformanceView;
  /** Why a connected pair can never match. */
  readonly judgePair: PairJudge;
  /** URLs in answers begin with these; known once the server listens. */
  readonly links: () => Links;
}

/** Identifies a request that the client may repeat (`Idempotency-Key`). */
export interface Repeatable {
  readonly key: string;
  /** SHA-256 in base64url of user, path, parameters and body: the same key stands for the same request. */
  readonly requestHash: string;
}

/** One authenticated request, as operations see it. */
export interface Call {
  readonly bearer: Bearer;
  /** Parsed JSON of a POST. */
  readonly body: unknown;
  /** What is wrong with the JSON itself. */
  readonly faults: readonly Fault[];
  /** Query parameters as sent. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Header `If-Match`: change the object only if it still has this tag. */
  readonly ifMatch?: string | undefined;
  /** Header `If-None-Match`: the tag of the answer that the client has already. */
  readonly ifNoneMatch?: string | undefined;
  readonly repeatable?: Repeatable | undefined;
}

/** What a request is answered with: text, whole or in pieces as it becomes known. */
export interface Answer {
  /** Media type; JSON unless another is named. */
  readonly type?: string;
  readonly body: string | AsyncIterable<string | Buffer>;
  /** 200 unless another is named. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation that every entity has: how it is reached, and what serves it. */
export interface EntityOperation {
  readonly name: Operation;
  readonly method: 'GET' | 'POST';
  /** Compiles the operation for an entity. Its refusals reject with `Refusal`. */
  readonly serve: (entity: Entity, context: Context) => (call: Call) => Promise<Answer>;
}
