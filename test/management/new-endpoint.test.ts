import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Type } from 'typebox';
import { sdkSchema } from '../../sdk/generate.ts';
import { closedObject, named, okStatus, succeeded } from '../../src/answers/wire-schema.ts';
import { reader, writer } from '../../src/management/endpoint/access.ts';
import { checkedBody } from '../../src/management/endpoint/body.ts';
import { type AnswerOf, defineEndpoint, type Endpoint } from '../../src/management/endpoint/endpoint.ts';
import { number } from '../../src/management/endpoint/parameter.ts';
import { endpoints } from '../../src/management/endpoints.ts';
import { type ApiDocument, Checker, operationsOf } from '../openapi/document.ts';
import { type Managed, startManaged } from '../operating/managed.ts';

/** What a new endpoint's file holds, and all that it takes but for its line in the list. */
const double = defineEndpoint({
  method: 'POST',
  path: '/api/arithmetic/double',
  name: 'doubleNumber',
  tag: { name: 'Arithmetic', description: 'Numbers made of numbers.' },
  summary: 'Double a number',
  description: 'Answers twice the number that is sent, and adds what the query says.',
  access: reader,
  parameters: { Plus: number({ help: 'What is added', max: 10 }) },
  accepts: checkedBody({
    wrapper: 'Number',
    schema: closedObject({ Value: Type.Integer({ minimum: 0, maximum: 100 }) }),
    example: () => ({ Value: 21 }),
  }),
  returns: {
    description: 'The double',
    schema: closedObject({
      Status: okStatus,
      Double: named('Double', closedObject({ Value: Type.Integer({ description: 'Twice as much' }) })),
    }),
    example: () => ({ Status: 'Ok', Double: { Value: 42 } }),
  },
  serve:
    () =>
    ({ parameters: { Plus = 0 }, body: { Value } }) => ({
      ...succeeded,
      Double: { Value: 2 * Value + Plus },
    }),
});

/** One that only those may call who may write, and no API key. */
const guarded = defineEndpoint({
  ...double,
  parameters: 'ignored',
  accepts: checkedBody({ schema: closedObject({}), example: () => ({}) }),
  path: '/api/arithmetic/guarded',
  name: 'guardedNumber',
  access: { ...writer, refusesApiKeys: 'Log in with a password' },
  serve: () => () => ({ ...succeeded, Double: { Value: 0 } }),
});

const withNew: readonly Endpoint[] = [...endpoints, double, guarded];

describe('an endpoint is one declaration and one line in the list', () => {
  let managed: Managed;
  let document: ApiDocument;
  let token: string;
  before(async () => {
    managed = await startManaged({ endpoints: withNew });
    token = await managed.tokenFor();
    document = (await (await fetch(`${managed.url}/api/openapi.json`)).json()) as ApiDocument;
  });
  after(() => managed.close());

  const post = async (path: string, body: string, authorization = `Bearer ${token}`) => {
    const answer = await fetch(managed.url + path, { method: 'POST', headers: { authorization }, body });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const pathsOfFaults = ({ Errors }: Record<string, unknown>) =>
    (Errors as readonly { Path: string }[]).map(({ Path }) => Path);

  test('its route is served, with its parameters and its body', async () => {
    const { status, body } = await post('/api/arithmetic/double?Plus=2', '{"Number":{"Value":20}}');
    assert.equal(status, 200);
    assert.deepEqual(body, { Status: 'Ok', Double: { Value: 42 } });
  });

  const refused: readonly (readonly [what: string, path: string, body: string, paths: readonly string[]])[] =
    [
      ['an unknown parameter', '/api/arithmetic/double?Minus=1', '{"Number":{"Value":1}}', ['Minus']],
      ['a parameter beyond its bound', '/api/arithmetic/double?Plus=11', '{"Number":{"Value":1}}', ['Plus']],
      ['a value beyond its bound', '/api/arithmetic/double', '{"Number":{"Value":101}}', ['Number.Value']],
      ['an unknown member', '/api/arithmetic/double', '{"Number":{"Value":1,"V":1}}', ['Number.V']],
      ['no wrapper', '/api/arithmetic/double', '{"Value":1}', ['']],
    ];
  for (const [what, path, sent, paths] of refused) {
    test(`it refuses ${what}`, async () => {
      const { status, body } = await post(path, sent);
      assert.equal(status, 406);
      assert.deepEqual(pathsOfFaults(body), paths);
    });
  }

  test('it asks for a token', async () => {
    assert.equal((await post('/api/arithmetic/double', '{"Number":{"Value":1}}', '')).status, 401);
  });

  test('what it says of API keys is held and told', async () => {
    const { body } = await post('/api/auth/apikey/add', '{"ApiKey":{"Label":"for a test"}}');
    const { Key } = body.ApiKey as { Key: string };
    assert.equal((await post('/api/arithmetic/guarded', '{}')).status, 200);
    const { status, body: refusal } = await post('/api/arithmetic/guarded', '{}', `Bearer ${Key}`);
    assert.deepEqual([status, refusal.Error], [403, 'Log in with a password']);
    const told = document.paths['/api/arithmetic/guarded']?.post?.responses[403];
    assert.match(JSON.stringify(told), /Log in with a password/);
  });

  test('it is in the document, with everything that follows from it', () => {
    const found = operationsOf(document).find(({ path }) => path === double.path);
    assert.ok(found);
    const { operation } = found;
    assert.deepEqual(
      [operation.operationId, operation.summary, operation.description, operation.tags],
      [double.name, double.summary, double.description, ['Arithmetic']],
    );
    const taken = operation.parameters?.map(({ name }) => name);
    assert.deepEqual(taken, ['Plus', 'DryRun', 'Idempotency-Key']);
    const statuses = Object.keys(operation.responses).map(Number);
    assert.deepEqual(statuses, [200, 400, 401, 403, 406, 413, 429, 500, 503]);
    const checker = new Checker(document);
    assert.equal(checker.answerFaults(found, 200, { Status: 'Ok', Double: { Value: 42 } }), '');
    assert.notEqual(checker.answerFaults(found, 200, { Status: 'Ok', Double: { Value: 'x' } }), '');
    assert.deepEqual(document.components.schemas.Double?.required, ['Value']);
  });

  test('it is in the client that is generated', async () => {
    const types = await sdkSchema(withNew);
    assert.match(types, /"\/api\/arithmetic\/double": \{/);
    assert.match(types, /Double: \{\s+\/\*\* @description Twice as much \*\/\s+Value: number;\s+\}/);
    assert.doesNotMatch(await sdkSchema(), /arithmetic/);
  });
});

describe('the types of answers', () => {
  test('follow from what an endpoint returns', () => {
    const answer: AnswerOf<typeof double> = { Status: 'Ok', Double: { Value: 42 } };
    assert.equal(answer.Double.Value, 42);
    // @ts-expect-error A number is promised.
    const other: AnswerOf<typeof double> = { Status: 'Ok', Double: { Value: '42' } };
    assert.ok(other);
  });

  test('hold what serves it, its parameters and its body', () => {
    defineEndpoint({
      ...double,
      parameters: { Plus: number({ help: '', max: 1 }) },
      accepts: checkedBody({ schema: closedObject({ Value: Type.Integer() }), example: () => ({}) }),
      access: reader,
      // @ts-expect-error It answers without `Double`.
      serve: () => () => ({ ...succeeded }),
    });
    defineEndpoint({
      ...double,
      access: reader,
      accepts: checkedBody({ schema: closedObject({ Value: Type.Integer() }), example: () => ({}) }),
      parameters: { Plus: number({ help: '', max: 1 }) },
      serve: () => (call) => {
        // @ts-expect-error The parameter is called `Plus`.
        const plus = call.parameters.plus;
        // @ts-expect-error The value is a number.
        const text: string = call.body.Value;
        // @ts-expect-error A bearer has no such member.
        const name = call.caller.name;
        assert.ok([plus, text, name]);
        return { ...succeeded, Double: { Value: 0 } };
      },
    });
  });
});
