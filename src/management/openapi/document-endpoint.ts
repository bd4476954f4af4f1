import { Type } from 'typebox';
import { anyone } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { serviceTag } from '../service/service-endpoints.ts';
import { type Page, pageAnswer, pageOf } from './page.ts';

export const openApi = defineEndpoint({
  method: 'GET',
  path: '/api/openapi.json',
  name: 'openApiDocument',
  tag: serviceTag,
  summary: 'Fetch this document',
  description:
    'This document: every endpoint with its parameters, bodies, answers and failures. If `If-None-Match` has the `ETag` of the last answer: 304 while the document is the same.',
  access: anyone,
  parameters: 'ignored',
  etag: 'If-None-Match',
  returns: {
    description: 'OpenAPI 3.1',
    schema: Type.Object({
      openapi: Type.String(),
      info: Type.Unsafe<object>({ type: 'object' }),
      paths: Type.Unsafe<object>({ type: 'object' }),
    }),
  },
  serve({ document }) {
    let page: Page | undefined;
    return (call) => {
      page ??= pageOf('application/json; charset=utf-8', JSON.stringify(document()));
      return pageAnswer(page, call);
    };
  },
});
