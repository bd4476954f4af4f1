import assert from 'node:assert/strict';
import type { Found } from '../openapi/document.ts';
import type { Inventory } from './inventory.ts';
import { createRequestCheck } from './request-check.ts';
import type { FuzzCase, Who } from './requests.ts';
import type { RunningExchange } from './running-exchange.ts';
import { type Answer, createSender, type Sent } from './sending.ts';

/** What a run of cases has come to. */
export interface Tally {
  readonly statuses: Map<number, number>;
  /** Operations that have answered 200 at least once, and not only for show. */
  readonly succeeded: Set<string>;
}

/** What a body may be refused for that a JSON Schema has no word for. */
const codesBeyondSchema = new Set(['not_found', 'taken', 'bad_line', 'encoding', 'macro', 'wrong_state']);
/** Fields whose rule is about another field, the time, the calendar, or what is served. */
const fieldsBeyondSchema =
  /^$|\.(EndDate|EndTime|Flights(\[\d+\]\.(Start|End))?|AutoMin|AutoMax|CurationFee|PushUrl|Waterfall|ExpiresAt|PivotBy|Schedule)$|^(Path|From|Period)$|^Changes\[\d+\]\.(Object|Tag)|^Report\.(Period|From|To|TimeZone|GroupBy|Measures|Filters|OrderBy)|^Alert\.(Measure|Window|Threshold|MinVolumeOf|TimeZone|Filters|MutedUntil)/;

/** The case as it was sent and answered, for whoever reads a failure. */
function told({ path, init }: Sent, { status, text }: Answer): string {
  return `${init.method} ${path} ${String(init.body).slice(0, 1500)}\n→ ${status} ${text.slice(0, 500)}`;
}

const isDryRun = ({ path }: Sent) => /[?&]DryRun=1(&|$)/.test(path);

/** Whether an answer tells of something that was done. */
function isDone({ method, path }: Found, sent: Sent, { status }: Answer): boolean {
  return method === 'POST' && status === 200 && !isDryRun(sent) && !path.endsWith('/plan');
}

/** The answer is one that the document allows, by status, type and schema; answers its JSON. */
function assertDocumented({ checker }: RunningExchange, found: Found, sent: Sent, answer: Answer): unknown {
  const { status, headers, text } = answer;
  const response = found.operation.responses[status];
  assert.ok(status < 500 && response !== undefined, told(sent, answer));
  if (status === 304) return assert.equal(text, '');
  const types = '$ref' in response ? ['application/json'] : Object.keys(response.content ?? {});
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  assert.ok(types.map((each) => each.split(';')[0]).includes(type), told(sent, answer));
  if (type !== 'application/json') return undefined;
  const value: unknown = JSON.parse(text);
  assert.equal(checker.answerFaults(found, status, value), '', told(sent, answer));
  return value;
}

/** What the document admits is refused only for what a schema cannot say. */
function assertRefusedRightly(sent: Sent, answer: Answer, value: unknown): void {
  const { Errors = [] } = value as { Errors?: { Path: string; Code: string }[] };
  const [first] = Object.keys(sent.body as object);
  const isWithin = (path: string) =>
    first !== undefined && path.startsWith(first) && /^([.[]|$)/.test(path.slice(first.length));
  const ofBody = Errors.filter(({ Path }) => Path === '' || isWithin(Path));
  for (const { Path, Code } of ofBody)
    assert.ok(
      codesBeyondSchema.has(Code) || fieldsBeyondSchema.test(Path),
      `${Path} is refused as ${Code}, though the document admits it: ${told(sent, answer)}`,
    );
}

/** Sends cases to one exchange and judges what comes back. */
export function createJudge(
  exchange: RunningExchange,
  inventory: Inventory,
  tokens: ReadonlyMap<Who, string>,
) {
  const { operations, store, document } = exchange;
  const byName = new Map(operations.map((found) => [found.name, found]));
  const tally: Tally = { statuses: new Map(), succeeded: new Set() };
  const bodyFaults = createRequestCheck(document);
  const { prepare, send } = createSender(exchange, inventory, tokens);

  const assertBody = (found: Found, sent: Sent, answer: Answer, value: unknown) => {
    const fault = sent.body === undefined ? undefined : bodyFaults(found, sent.body);
    if (fault === undefined) return;
    if (answer.status === 200)
      assert.equal(fault, '', `taken, though the document does not admit it: ${told(sent, answer)}`);
    if (answer.status === 406 && fault === '') assertRefusedRightly(sent, answer, value);
  };
  /** The same request under the same key is answered the same, and nothing is done again. */
  const assertReplay = async (sent: Sent, answer: Answer) => {
    const revision = await store.revision();
    const again = await send(sent);
    assert.deepEqual([again.status, again.text], [answer.status, answer.text], told(sent, again));
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(await store.revision(), revision);
  };
  return {
    tally,
    async judge(request: FuzzCase): Promise<void> {
      const found = byName.get(request.name);
      assert.ok(found);
      const sent = await prepare(request, found);
      const before = await store.revision();
      const answer = await send(sent);
      const value = assertDocumented(exchange, found, sent, answer);
      assertBody(found, sent, answer, value);
      const done = isDone(found, sent, answer);
      if (!done)
        assert.equal(await store.revision(), before, `this has changed something: ${told(sent, answer)}`);
      tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1);
      if (answer.status !== 200) return;
      if (!isDryRun(sent)) tally.succeeded.add(request.name);
      if (!done) return;
      inventory.note(request, value);
      // Of other calls a key is taken, and has no effect.
      const isOnce = JSON.stringify(found.operation.responses['200']).includes('Idempotent-Replayed');
      if (request.isRepeated && isOnce) await assertReplay(sent, answer);
    },
  };
}
