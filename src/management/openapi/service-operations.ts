import { closedObject, jsonContent } from './json.ts';
import type { DocumentedOperation } from './operation.ts';

const ok = closedObject({ Status: { type: 'string', const: 'Ok', description: 'It serves' } });

/** What the server tells of itself, without a token. */
export const serviceDocumentation: readonly DocumentedOperation[] = [
  {
    method: 'GET',
    path: '/healthz',
    operationId: 'health',
    tag: 'Service',
    summary: 'Ask whether the server serves',
    description: 'Answers 200 from the moment the server serves until it shuts down.',
    documented: false,
    isPublic: true,
    answer: { description: 'It serves', content: jsonContent(ok, { example: { Status: 'Ok' } }) },
    failures: ['Unavailable'],
  },
  {
    method: 'GET',
    path: '/readyz',
    operationId: 'readiness',
    tag: 'Service',
    summary: 'Ask whether requests can be served now',
    description:
      'Answers 200 when the database answers, 503 with the reason when it does not or the server shuts down.',
    documented: false,
    isPublic: true,
    answer: { description: 'It can serve', content: jsonContent(ok, { example: { Status: 'Ok' } }) },
    failures: ['ServerError', 'Unavailable'],
  },
  {
    method: 'GET',
    path: '/metrics',
    operationId: 'metrics',
    tag: 'Service',
    summary: 'Fetch figures for Prometheus',
    description:
      'Counts and durations of requests by operation, load of the database and of the event loop, the revision; of all threads of this server together, in the text format of Prometheus.',
    documented: false,
    isPublic: true,
    answer: {
      description: 'Metrics',
      content: { 'text/plain': { schema: { type: 'string' }, example: 'bourse_revision 4711\n' } },
    },
    failures: ['ServerError', 'Unavailable'],
  },
  {
    method: 'GET',
    path: '/api/openapi.json',
    operationId: 'openApiDocument',
    tag: 'Service',
    summary: 'Fetch this document',
    description:
      'This document. With `If-None-Match` of the `ETag` that was answered last: 304 while it is the same.',
    documented: false,
    isPublic: true,
    answer: {
      description: 'OpenAPI 3.1',
      headers: { ETag: { description: 'Changes with the document', schema: { type: 'string' } } },
      content: jsonContent({
        type: 'object',
        required: ['openapi', 'info', 'paths'],
        properties: { openapi: { type: 'string' }, info: { type: 'object' }, paths: { type: 'object' } },
      }),
    },
    otherAnswers: { 304: { description: 'The document has not changed' } },
    failures: ['ServerError', 'Unavailable'],
  },
];
