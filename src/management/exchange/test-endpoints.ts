import { Type } from 'typebox';
import { bidfloorExample, candidateExample } from '../../answers/explanation.ts';
import { firedSchema, type TestRefusal, testResultSchema } from '../../answers/test-result.ts';
import { closedObject, okStatus, oneOf, succeeded } from '../../answers/wire-schema.ts';
import { entityOf } from '../../entities/registry.ts';
import { invalid, Refusal } from '../../fields/fault.ts';
import { idSchema } from '../../fields/number.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import { tester } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { type Call, defineEndpoint } from '../endpoint/endpoint.ts';
import { jsonType } from '../endpoint/media.ts';
import { notFoundFault } from '../post-answer.ts';
import type { TestPass } from './exchange-view.ts';
import { explainedKinds, readRequestTo, zonePathsOf } from './explain-question.ts';
import { askServed } from './status.ts';
import { exchangeTag } from './tag.ts';
import { testUrl } from './test-url.ts';

const testedKinds = explainedKinds.filter((kind) => zonePathsOf(kind).length > 0);
const doors = testedKinds.flatMap(zonePathsOf);

/** `Path` is that of the object or the URL. */
function refused(refusal: TestRefusal, Path: string, Message: string): Refusal {
  if (refusal === 'too_many') {
    const text = 'Too many tests: a user may make 5 per second';
    return new Refusal('too_many', text, { retryAfterSeconds: 1 });
  }
  return invalid([{ Path, Code: 'not_found', Message }]);
}

/** Demand or a partner is really called. */
function refuseDryRun({ isDryRun }: Pick<Call, 'isDryRun'>): void {
  const Message =
    'is not accepted here, because a test calls partners; use `exchange/explain`, which calls nobody';
  if (isDryRun) throw invalid([{ Path: 'DryRun', Code: 'unknown_parameter', Message }]);
}

const actorOf = ({ teamId, userId }: Bearer) => ({ teamId, userId });

/** By default the kind's first. Refuses one that the kind does not have. */
function doorOf(kind: string, door: string | undefined): string {
  const [first = '', ...others] = zonePathsOf(kind);
  if (door === undefined || door === first || others.includes(door)) return door ?? first;
  const Message = `must be ${[first, ...others].join(' or ')} for ${entityOf(kind).title}`;
  throw invalid([{ Path: 'Door', Code: 'not_found', Message }]);
}

const signed = ({ expiresMs }: TestPass) => new Date(expiresMs).toJSON();

export const makeTestUrl = defineEndpoint({
  method: 'POST',
  path: '/api/exchange/test',
  name: 'makeTestUrl',
  tag: exchangeTag,
  summary: 'Make a test URL',
  description:
    "Returns a zone, feed or direct URL of the object that works for five minutes, bound to the object and the user. Its auctions call demand (OpenRTB with `test` 1; tags and feeds have no such flag) within its `MaxQps`, and count, bill and reserve nothing. In the ad, partners' trackers are dormant; with `&test_live=1` they fire as usual. A user may make 5 tests per second.",
  access: tester,
  accepts: checkedBody({
    schema: closedObject({
      Entity: oneOf(testedKinds as [string, ...string[]], 'Kind of the supply object'),
      Id: { ...idSchema, description: 'Its ID' },
      Door: Type.Optional(oneOf(doors as [string, ...string[]], 'Which of its URLs; omitted = the first')),
    }),
    example: () => ({ Entity: 'VastTag', Id: 3 }),
  }),
  returns: {
    description: 'The URL; its macros can be filled in or left as they are',
    schema: closedObject({
      Status: okStatus,
      Url: Type.String({ description: 'The test URL' }),
      Expires: Type.String({ description: 'Until when it works, for example 2027-01-31T12:05:00.000Z' }),
    }),
    example: ({ regions }) => ({
      Status: 'Ok',
      Url: `${regions[0]?.url}/vast?zone=3&test_pass=…&ip={ip}&site_url={site_url}`,
      Expires: '2027-01-31T12:05:00.000Z',
    }),
  },
  serve:
    (context) =>
    async ({ caller, body: { Entity, Id, Door } }) => {
      const door = doorOf(Entity, Door);
      const object = { ...actorOf(caller), kind: Entity, id: Id };
      const pass = await askServed(caller.teamId, context, () => context.exchange.testPass(object));
      if (!pass) throw invalid([{ ...notFoundFault(entityOf(Entity), Id), Path: 'Id' }]);
      return { ...succeeded, Url: testUrl(entityOf(Entity), Id, door, pass), Expires: signed(pass) };
    },
});

const urlMember = Type.String({
  maxLength: 65_536,
  description: 'A test URL of the user, with its macros filled in',
});
const objectMembers = {
  Entity: oneOf(explainedKinds as [string, ...string[]], 'Kind of the supply object'),
  Id: { ...idSchema, description: 'Its ID' },
};
const requestMember = Type.Optional(
  Type.Unsafe<unknown>({
    type: 'object',
    description: '`Url` or `OpenRtb`, as in `exchange/explain`',
  }),
);
const runExample = () => ({ Entity: 'VastTag', Id: 3 });
const runBody = checkedBody({
  schema: closedObject({
    Url: Type.Optional(urlMember),
    Entity: Type.Optional(objectMembers.Entity),
    Id: Type.Optional(objectMembers.Id),
    Request: requestMember,
  }),
  example: runExample,
});
/** A URL, or an object. */
const runSchema = Type.Unsafe<unknown>({
  oneOf: [closedObject({ Url: urlMember }), closedObject({ ...objectMembers, Request: requestMember })],
});

interface RunBody {
  readonly Url?: string;
  readonly Entity?: string;
  readonly Id?: number;
  readonly Request?: unknown;
}

/** Refuses neither and both. */
function testedIn({ Url, Entity, Id, Request }: RunBody) {
  if (Url !== undefined && Entity === undefined && Id === undefined && Request === undefined) {
    return { url: Url };
  }
  if (Url === undefined && Entity !== undefined && Id !== undefined) {
    return { kind: Entity, id: Id, request: readRequestTo(Entity, Id, Request) };
  }
  const Message = 'the body must have either `Url`, or `Entity` and `Id`, optionally with `Request`';
  throw invalid([{ Path: '', Code: 'type', Message }]);
}

const outcomeExample = {
  Status: 'Ok',
  AuctionId: '0b8f7e0e-5f6b-4b9d-9f0f-2f6d0a4c1a11',
  Outcome: 'no_bid',
  ...bidfloorExample,
  Field: '',
  Wanted: null,
  Met: null,
  Refusals: [],
  Candidates: [candidateExample],
  Calls: [],
  Markup: '',
  Trackers: [],
} as const;

export const runTest = defineEndpoint({
  method: 'POST',
  path: '/api/exchange/test/run',
  name: 'runTest',
  tag: exchangeTag,
  summary: 'Run a test',
  description:
    'Holds an auction as a test URL does, and returns all of it: the outcome of each demand object, every call with its timing and answer, the ad, and the trackers of partners. It takes a test URL of the user, or an object with a `Request` as in `exchange/explain`; without a `Request` it uses the last request to the object, without what its viewer may be recognized by, or else an empty one. It returns when demand has answered, within `Tmax`.',
  access: tester,
  accepts: { ...runBody, media: { [jsonType]: { schema: runSchema, example: runExample } } },
  failures: { TooMany: 'The user has made 5 tests in this second.' },
  returns: {
    description: 'The outcome of the test',
    schema: testResultSchema,
    example: () => outcomeExample,
  },
  serve: (context) => async (call) => {
    refuseDryRun(call);
    const asked = testedIn(call.body as RunBody);
    const run = () => context.exchange.runTest({ ...actorOf(call.caller), ...asked });
    const result = await askServed(call.caller.teamId, context, run);
    if (typeof result !== 'string') return { ...succeeded, ...result };
    if (asked.url !== undefined) {
      throw refused(
        result,
        'Url',
        'must be a test URL of yours that has not expired (POST /api/exchange/test)',
      );
    }
    const { title } = entityOf(asked.kind);
    const state = result === 'inactive' ? 'is not active, or its publisher is not' : 'is not found';
    throw refused(result, 'Id', `${title} ${asked.id} ${state}`);
  },
});

export const fireTracker = defineEndpoint({
  method: 'POST',
  path: '/api/exchange/test/fire',
  name: 'fireTracker',
  tag: exchangeTag,
  summary: "Fire a partner's tracker",
  description:
    "Calls a partner's tracker, as a player would, using a `DormantUrl` that a test of the user has listed in the last five minutes. The partner may count it. Private addresses are not called.",
  access: tester,
  accepts: checkedBody({
    schema: closedObject({
      Url: Type.String({
        maxLength: 16_384,
        description: 'A `DormantUrl` of `exchange/test/run` or of a test ad',
      }),
    }),
    example: ({ regions }) => ({ Url: `${regions[0]?.url}/track/test?t=…` }),
  }),
  failures: { TooMany: 'The user has made 5 tests in this second.' },
  returns: {
    description: 'The answer of the partner',
    schema: firedSchema,
    example: () => ({
      Status: 'Ok',
      Url: 'https://ads.example/impression',
      HttpStatus: 200,
      DurationMs: 42,
      Rule: '',
    }),
  },
  serve:
    ({ exchange }) =>
    async (call) => {
      refuseDryRun(call);
      const fired = await exchange.fireTracker({ ...actorOf(call.caller), url: call.body.Url });
      if (typeof fired !== 'string') return { ...succeeded, ...fired };
      throw refused(
        fired,
        'Url',
        'must be a `DormantUrl` that a test of yours has listed in the last five minutes',
      );
    },
});
