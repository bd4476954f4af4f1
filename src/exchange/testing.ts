import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSupply } from '../entities/kinds.ts';
import { runTestAuction, type TestAuction } from './auction/test-auction.ts';
import type { Outbound } from './demand/outbound.ts';
import type { AskedRequest, Door, DoorContext } from './doors/door.ts';
import { readAsked } from './doors/doors.ts';
import { openToAll, refuseMethod } from './doors/open-to-all.ts';
import { type FoundTracker, type TestAd, testAd } from './doors/test/test-ad.ts';
import { type TestAnswer, testAnswers } from './doors/test/test-answer.ts';
import { createTestPasses, passParameter, type Tester, testMs } from './doors/test/test-pass.ts';
import { type TestReport, testReport } from './explain/test-report.ts';
import type { Opportunity } from './opportunity.ts';
import type { Caller } from './reading/caller.ts';
import { zoneQuery } from './reading/query.ts';
import { isRefusal, type Reason } from './reasons.ts';
import { inactivity } from './snapshot/inactivity.ts';
import type { Supply } from './snapshot/supply.ts';
import { createSealing } from './trackers/sealing.ts';

/** Why nothing is tested: who asks may not (any more), asks too often, or with a URL that is none or has expired. */
export type TestRefusal = 'not_allowed' | 'too_many' | 'expired' | 'unknown' | 'inactive';

/** Who may test, and how often. */
export interface Testers {
  /** Whether the user is active, of that team, and may change its objects. */
  mayTest(tester: Tester): Promise<boolean>;
  /** Counts a test of the user in this second; false where it is one too many. */
  take(tester: Tester): boolean;
}

/** What is tested, and by whom: an object with a request, or a test URL. */
export interface TestRequest extends Tester {
  readonly kind?: string | undefined;
  readonly id?: number | undefined;
  readonly request?: AskedRequest | undefined;
  readonly url?: string | undefined;
}

/** What came of a test. `Trackers` are the partners', each with a URL of ours that stands for it and does nothing. */
export interface TestResult extends TestReport {
  readonly Markup: string;
  readonly Trackers: readonly { readonly Event: string; readonly Url: string; readonly DormantUrl: string }[];
}

/** What came of a tracker that was fired: the status of its answer, 0 and a reason where there was none. */
export interface FiredTracker {
  readonly Url: string;
  readonly HttpStatus: number;
  readonly DurationMs: number;
  readonly Rule: Reason | '';
}

/** What tests are made of. */
export interface TestingOptions {
  readonly context: DoorContext;
  /** Calls that operators' figures do not count. */
  readonly outbound: Outbound;
  readonly secret: Uint8Array;
  readonly testers: Testers;
  /** The last request to an object that was seen. */
  readonly lastSeen: (supply: Supply) => Opportunity | undefined;
}

const liveParameter = 'test_live';
const fireMsMax = 3000;
const steadyMs = () => performance.now();

/** What a test URL says that is refused, and its status. */
const refusals: Readonly<Record<TestRefusal, readonly [status: number, text: string]>> = {
  expired: [
    403,
    'This test URL has expired, or is none. Make another: POST /api/exchange/test, or the console.',
  ],
  not_allowed: [403, 'The user of this test URL is not active any more, or may not test.'],
  too_many: [429, 'Too many tests by this user: 5 in a second are allowed.'],
  unknown: [403, 'The object of this test URL is not served here.'],
  inactive: [403, 'The object, or its publisher, is not active; activate it to test it.'],
};

function send(request: IncomingMessage, response: ServerResponse, { status, headers, text }: TestAnswer) {
  const whole = { ...headers, 'cache-control': 'no-store', 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, openToAll(request, whole)).end(text);
}

function sendRefusal(request: IncomingMessage, response: ServerResponse, refusal: TestRefusal): void {
  const [status, text] = refusals[refusal];
  send(request, response, { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, text });
}

const shownTracker = ({ event, url, dormantUrl }: FoundTracker) => ({
  Event: event,
  Url: url,
  DormantUrl: dormantUrl,
});

/** Test mode of a thread: auctions that ask demand, and count nothing with us. */
export function createTesting({ context, outbound, secret, testers, lastSeen }: TestingOptions) {
  const services = { ...context.services, outbound };
  const { now, baseUrl } = services;
  const passes = createTestPasses(createSealing(secret));
  const supplyOf = ({ teamId }: Tester, kind: string, id: number): Supply | 'unknown' | 'inactive' => {
    const supply = isSupply(kind) ? context.snapshot().supply(kind, id) : undefined;
    if (supply?.teamId !== teamId) return 'unknown';
    return inactivity(supply, 'PublisherId') ? 'inactive' : supply;
  };
  const adOf = (tester: Tester, { auction }: TestAuction, isLive: boolean): TestAd | undefined => {
    const nowMs = now();
    const dormantUrlOf = (url: string) =>
      passes.trackerUrl({ ...tester, url, expiresMs: nowMs + testMs }, baseUrl(), nowMs);
    return testAd(auction, { base: baseUrl(), dormantUrlOf, isLive });
  };
  /** The object of a request, and what it asks for; undefined: the last request that was seen. */
  const askedIn = (request: TestRequest) => {
    if (request.url === undefined) return request;
    const pass = passes.openPass(zoneQuery(request.url).text(passParameter), now());
    const isOwn = pass?.userId === request.userId && pass.teamId === request.teamId;
    return isOwn ? { ...pass, request: { url: request.url } } : undefined;
  };
  const opportunityOf = (supply: Supply, request: AskedRequest | undefined, caller?: Caller) => {
    const seen = request ? undefined : lastSeen(supply);
    return seen ?? readAsked(supply, request ?? { url: '' }, context, caller);
  };
  const answered = async (door: Door, request: IncomingMessage): Promise<TestAnswer | TestRefusal> => {
    const { url = '' } = request;
    const query = zoneQuery(url);
    const pass = passes.openPass(query.text(passParameter), now());
    const answer = testAnswers.get(door.path);
    if (!pass || !answer || pass.kind !== door.explained?.kind) return 'expired';
    if (!testers.take(pass)) return 'too_many';
    if (!(await testers.mayTest(pass))) return 'not_allowed';
    const supply = supplyOf(pass, pass.kind, pass.id);
    if (typeof supply === 'string') return supply;
    const opportunity = opportunityOf(supply, { url }, context.callerOf(request));
    if (!opportunity) return 'unknown';
    const held = await runTestAuction(supply, opportunity, services, steadyMs);
    const isLive = query.text(liveParameter) === '1';
    return answer({ auction: held.auction, ad: adOf(pass, held, isLive), query, isLive });
  };
  return {
    /** A pass for a test of an object of the team, to be put into its URLs; undefined where there is none. */
    pass({ kind, id, ...tester }: Tester & { readonly kind: string; readonly id: number }) {
      const supply = isSupply(kind) ? context.snapshot().supply(kind, id) : undefined;
      if (supply?.teamId !== tester.teamId) return undefined;
      const nowMs = now();
      const expiresMs = nowMs + testMs;
      const pass = passes.sealPass({ ...tester, kind: supply.kind, id, expiresMs }, nowMs);
      return { parameter: passParameter, pass, base: baseUrl(), expiresMs };
    },
    /** Holds the auction of a test and tells all of it. */
    async run(request: TestRequest): Promise<TestResult | TestRefusal> {
      const asked = askedIn(request);
      if (!asked) return 'expired';
      if (!testers.take(request)) return 'too_many';
      const supply = supplyOf(request, asked.kind ?? '', asked.id ?? 0);
      if (typeof supply === 'string') return supply;
      const opportunity = opportunityOf(supply, asked.request);
      if (!opportunity) return 'unknown';
      const held = await runTestAuction(supply, opportunity, services, steadyMs);
      const { markup: Markup = '', trackers = [] } = adOf(request, held, false) ?? {};
      return { ...testReport(held), Markup, Trackers: trackers.map(shownTracker) };
    },
    /** Calls a partner's tracker that a test of the user has listed, by the URL that stands for it. */
    async fire({ url, ...tester }: Tester & { readonly url: string }): Promise<FiredTracker | TestRefusal> {
      const listed = passes.openTracker(zoneQuery(url).text('t', url.length), now());
      if (listed?.userId !== tester.userId || listed.teamId !== tester.teamId) return 'expired';
      if (!testers.take(tester)) return 'too_many';
      const beganMs = steadyMs();
      const request = { method: 'GET', url: listed.url, headers: {} } as const;
      const answer = await outbound.call(`test:User:${tester.userId}`, request, fireMsMax);
      return {
        Url: listed.url,
        HttpStatus: isRefusal(answer) ? 0 : answer.status,
        DurationMs: Math.round(steadyMs() - beganMs),
        Rule: isRefusal(answer) ? answer.reason : '',
      };
    },
    /** Answers a request to a test URL. False, with nothing done, where the URL is none. */
    handle(door: Door, request: IncomingMessage, response: ServerResponse): boolean {
      const { url = '' } = request;
      if (!testAnswers.has(door.path) || !url.includes(`${passParameter}=`)) return false;
      if (refuseMethod(request, response)) return true;
      if (request.method === 'HEAD') {
        send(request, response, { status: 204, headers: {}, text: '' });
        return true;
      }
      answered(door, request)
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

/** Test mode of a thread. */
export type Testing = ReturnType<typeof createTesting>;
