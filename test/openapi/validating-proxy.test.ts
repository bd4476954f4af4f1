import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { endpoints } from '../../src/management/endpoints.ts';
import { openApiDocument } from '../../src/management/openapi/document.ts';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import { startValidatingProxy, type ValidatingProxy } from '../support/validating-proxy.ts';

const links = { baseUrl: 'https://exchange.example', regions: [] };
const document = JSON.stringify(openApiDocument(endpoints, links));

/** What the server behind the proxy answers next. */
let next: { readonly status: number; readonly body: unknown };
let upstream: Loopback;
let proxy: ValidatingProxy;

before(async () => {
  upstream = await listenOnLoopback(
    createServer((request, reply) => {
      request.resume();
      reply.setHeader('content-type', 'application/json');
      if (request.url === '/api/openapi.json') return reply.end(document);
      reply.writeHead(next.status).end(JSON.stringify(next.body));
    }),
  );
  proxy = await startValidatingProxy(upstream.url);
});
after(async () => {
  await proxy.close();
  await upstream.close();
});

const stored = {
  Status: 'Ok',
  Tag: { Id: 1, TeamId: 1, Name: 'A', Color: '', Status: 0, StatusString: 'Active' },
};
const refused = { Status: 'Error', Error: 'no', Errors: [{ Path: 'Tag', Code: 'type', Message: 'no' }] };
const done = { status: 200, body: stored };
const inTag = (values: object) => ({ ...stored, Tag: { ...stored.Tag, ...values } });

interface Case {
  readonly what: string;
  readonly path: string;
  readonly sent: string;
  readonly answer: { readonly status: number; readonly body: unknown };
  /** What the proxy says; absent = nothing. */
  readonly says?: RegExp;
}

const campaign = (values: object) => JSON.stringify({ Campaign: { AdvertiserId: 1, ...values } });
const add = { path: '/api/tag/add', sent: '{"Tag":{"Name":"A"}}', answer: done };
const cases: readonly Case[] = [
  { what: 'all is well', ...add },
  { what: 'an unknown member', ...add, sent: '{"Tag":{"Name":"A","X":1}}', says: /additional properties/ },
  { what: 'a body that is no JSON', ...add, sent: '{', says: /must be object/ },
  { what: 'an unknown parameter', ...add, path: '/api/tag/add?X=1', says: /parameter X is unknown/ },
  { what: 'a parameter beyond its bound', ...add, path: '/api/tag/add?DryRun=2', says: /must be <= 1/ },
  { what: 'a fault that the server refuses', ...add, sent: '{}', answer: { status: 406, body: refused } },
  {
    what: 'an unknown member in an answer',
    ...add,
    answer: { status: 200, body: inTag({ X: 1 }) },
    says: /answer 200.*additional/,
  },
  {
    what: 'a code without a meaning in an answer',
    ...add,
    answer: { status: 200, body: inTag({ Status: 2 }) },
    says: /answer 200.*oneOf/,
  },
  {
    what: 'a status that is not told of',
    ...add,
    answer: { status: 418, body: {} },
    says: /418 is not documented/,
  },
  {
    what: 'a kind of fault that is not told of',
    ...add,
    answer: { status: 406, body: { ...refused, Errors: [{ Path: '', Code: 'strange', Message: '' }] } },
    says: /oneOf/,
  },
  ...['', 'https://example.com/ä?q={x}', 'HTTP://EXAMPLE.COM'].map((MediaUrl) => ({
    what: `the URL ${JSON.stringify(MediaUrl)}`,
    path: '/api/campaign/add',
    sent: campaign({ MediaUrl }),
    answer: { status: 406, body: refused },
  })),
];

describe('the validating proxy of the tests', () => {
  for (const { what, path, sent, answer, says } of cases) {
    test(`${says ? 'finds' : 'passes'}: ${what}`, async () => {
      next = answer;
      const before = proxy.faults.length;
      const { status } = await fetch(proxy.url + path, { method: 'POST', body: sent });
      assert.equal(status, answer.status);
      const found = proxy.faults.slice(before).join('\n');
      if (says) assert.match(found, says);
      else assert.equal(found, '');
    });
  }
});
