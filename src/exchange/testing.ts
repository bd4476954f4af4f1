import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FiredTracker, Tester, TestRefusal, TestResult } from '../answers/test-result.ts';
import { isSupply } from '../entities/kinds.ts';
import { redactForPartners } from './auction/redact-for-partners.ts';
import { runTestAuction, type TestAuction } from './auction/test-auction.ts';
import { recognition } from './consent/masks.ts';
import type { Outbound } from './demand/outbound.ts';
import { corsHeaders, refuseMethod } from './endpoints/cors-headers.ts';
import type { AskedRequest, DeliveryContext, DeliveryEndpoint } from './endpoints/delivery-endpoint.ts';
import { readExplainedRequest } from './endpoints/delivery-endpoints.ts';
import { type FoundTracker, type TestAd, testAd } from './endpoints/test/test-ad.ts';
import { type TestAnswer, testAnswers } from './endpoints/test/test-answer.ts';
import { createTestPasses, passParameter, testMs } from './endpoints/test/test-pass.ts';
import { testReport } from './explain/test-report.ts';
import type { Opportunity } from './opportunity.ts';
import type { Caller } from './reading/caller.ts';
import { zoneQuery } from './reading/query.ts';
import { isRefusal } from './reasons.ts';
import { inactivity } from './snapshot/inactivity.ts';
import type { Supply } from './snapshot/supply.ts';
import type { Keyring } from './trackers/token-keys.ts';
import { createTokenSealer } from './trackers/token-sealer.ts';

export interface Testers {
  /** Whether the user is active, of that team, and may change its objects. */
  mayTest(tester: Tester): Promise<boolean>;
  /** Counts a test of the user in this second; false if over the limit. */
  take(tester: Tester): boolean;
}

/** An object with a request, or a test URL. */
export interface TestRequest extends Tester {
  readonly kind?: string | undefined;
  readonly id?: number | undefined;
  readonly request?: AskedRequest | undefined;
  readonly url?: string | undefined;
}

export interface TestingOptions {
  readonly context: DeliveryContext;
  readonly outbound: Outbound;
  readonly keyring: Keyring;
  readonly testers: Testers;
  readonly lastSeen: (supply: Supply) => Opportunity | undefined;
}

const liveParameter = 'test_live';
const fireMsMax = 3000;
const steadyMs = () => performance.now();

const refusals: Readonly<Record<TestRefusal, readonly [status: number, text: string]>> = {
  expired: [
    403,
    'This test URL has expired, or is not valid. Make another with POST /api/exchange/test or the console.',
  ],
  not_allowed: [403, 'The user of this test URL is no longer active, or may not run tests.'],
  too_many: [429, 'Too many tests by this user: 5 per second are allowed.'],
  unknown: [403, 'The object of this test URL is not served here.'],
  inactive: [403, 'The object, or its publisher, is not active; activate it to test it.'],
};

function send(request: IncomingMessage, response: ServerResponse, { status, headers, text }: TestAnswer) {
  const whole = { ...headers, 'cache-control': 'no-store', 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, corsHeaders(request, whole)).end(text);
}

function sendRefusal(request: IncomingMessage, response: ServerResponse, refusal: TestRefusal): void {
  const [status, text] = refusals[refusal];
  send(request, response, { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, text });
}

/** `HEAD` shows nobody an ad. */
const noAnswer = Promise.resolve<TestAnswer>({ status: 204, headers: {}, text: '' });

const shownTracker = ({ event, url, dormantUrl }: FoundTracker) => ({
  Event: event,
  Url: url,
  DormantUrl: dormantUrl,
});

function createBench({ context, outbound, keyring, lastSeen }: Omit<TestingOptions, 'testers'>) {
  const services = { ...context.services, outbound };
  const { now, baseUrl } = services;
  const passes = createTestPasses(createTokenSealer(keyring));
  return {
    services,
    passes,
    /** Active and of the team, or why there is none. */
    supplyOf({ teamId }: Tester, kind = '', id = 0): Supply | 'unknown' | 'inactive' {
      const supply = isSupply(kind) ? context.snapshot().supply(kind, id) : undefined;
      if (supply?.teamId !== teamId) return 'unknown';
      return inactivity(supply, 'PublisherId') ? 'inactive' : supply;
    },
    /** Without a request, the last one seen, which tells nobody of its viewer. */
    async held(supply: Supply, request: AskedRequest | undefined, caller?: Caller) {
      const seen = request ? undefined : lastSeen(supply);
      const opportunity = seen
        ? redactForPartners(seen, recognition)
        : readExplainedRequest(supply, request ?? { url: '' }, context, caller);
      return opportunity && runTestAuction(supply, opportunity, services, steadyMs);
    },
    adOf(tester: Tester, { auction }: TestAuction, isLive: boolean): TestAd | undefined {
      const nowMs = now();
      const { teamId, userId } = tester;
      const dormantUrlOf = (url: string) =>
        passes.trackerUrl({ teamId, userId, url, expiresMs: nowMs + testMs }, baseUrl(), nowMs);
      return testAd(auction, { base: baseUrl(), dormantUrlOf, isLive });
    },
  };
}

type TestBench = ReturnType<typeof createBench>;

async function answerAt(
  endpoint: DeliveryEndpoint,
  request: IncomingMessage,
  { context, testers }: TestingOptions,
  bench: TestBench,
): Promise<TestAnswer | TestRefusal> {
  const { url = '' } = request;
  const query = zoneQuery(url);
  const pass = bench.passes.openPass(query.text(passParameter), bench.services.now());
  const answer = testAnswers.get(endpoint.path);
  if (!pass || !answer || pass.kind !== endpoint.requestReader?.kind) return 'expired';
  if (!testers.take(pass)) return 'too_many';
  if (!(await testers.mayTest(pass))) return 'not_allowed';
  const supply = bench.supplyOf(pass, pass.kind, pass.id);
  if (typeof supply === 'string') return supply;
  const held = await bench.held(supply, { url }, context.callerOf(request));
  if (!held) return 'unknown';
  const isLive = query.text(liveParameter) === '1';
  return answer({ auction: held.auction, ad: bench.adOf(pass, held, isLive), query, isLive });
}

async function run(
  request: TestRequest,
  { testers }: TestingOptions,
  { passes, services, supplyOf, held, adOf }: TestBench,
): Promise<TestResult | TestRefusal> {
  const { url } = request;
  const pass =
    url === undefined ? undefined : passes.openPass(zoneQuery(url).text(passParameter), services.now());
  const isOwn = pass?.userId === request.userId && pass.teamId === request.teamId;
  if (url !== undefined && !isOwn) return 'expired';
  if (!testers.take(request)) return 'too_many';
  const { kind, id } = pass ?? request;
  const supply = supplyOf(request, kind, id);
  if (typeof supply === 'string') return supply;
  const test = await held(supply, url === undefined ? request.request : { url });
  if (!test) return 'unknown';
  const { markup: Markup = '', trackers = [] } = adOf(request, test, false) ?? {};
  return { ...testReport(test), Markup, Trackers: trackers.map(shownTracker) };
}

/** By the URL that stands for a partner's tracker, listed by a test of this user. */
async function fire(
  { url, teamId, userId }: Tester & { readonly url: string },
  { testers, outbound }: TestingOptions,
  { passes, services }: TestBench,
): Promise<FiredTracker | TestRefusal> {
  const listed = passes.openTracker(zoneQuery(url).text('t', url.length), services.now());
  if (listed?.userId !== userId || listed.teamId !== teamId) return 'expired';
  if (!testers.take(listed)) return 'too_many';
  const beganMs = steadyMs();
  const request = { method: 'GET', url: listed.url, headers: {} } as const;
  const answer = await outbound.call(`test:User:${userId}`, request, fireMsMax);
  return {
    Url: listed.url,
    HttpStatus: isRefusal(answer) ? 0 : answer.status,
    DurationMs: Math.round(steadyMs() - beganMs),
    Rule: isRefusal(answer) ? answer.reason : '',
  };
}

export function createTesting(options: TestingOptions) {
  const bench = createBench(options);
  const { context } = options;
  const { now, baseUrl } = bench.services;
  return {
    /** To be put into the object's URLs; undefined if there is no such object. */
    pass({ kind, id, teamId, userId }: Tester & { readonly kind: string; readonly id: number }) {
      const supply = isSupply(kind) ? context.snapshot().supply(kind, id) : undefined;
      if (supply?.teamId !== teamId) return undefined;
      const nowMs = now();
      const expiresMs = nowMs + testMs;
      const pass = bench.passes.sealPass({ teamId, userId, kind: supply.kind, id, expiresMs }, nowMs);
      return { parameter: passParameter, pass, base: baseUrl(), expiresMs };
    },
    run: (request: TestRequest) => run(request, options, bench),
    fire: (tracker: Tester & { readonly url: string }) => fire(tracker, options, bench),
    /** False, with nothing done, if it is no test URL. */
    handle(endpoint: DeliveryEndpoint, request: IncomingMessage, response: ServerResponse): boolean {
      const isTest = request.url?.includes(`${passParameter}=`) && testAnswers.has(endpoint.path);
      if (!isTest) return false;
      if (refuseMethod(request, response)) return true;
      const answering = request.method === 'HEAD' ? noAnswer : answerAt(endpoint, request, options, bench);
      answering
        .then((answer) => {
          if (typeof answer === 'string') sendRefusal(request, response, answer);
          else send(request, response, answer);
        })
        .catch((error: unknown) => {
          context.onFault(error);
          response.destroy();
        });
      return true;
    },
  };
}

export type Testing = ReturnType<typeof createTesting>;
