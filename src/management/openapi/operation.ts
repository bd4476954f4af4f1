import { failureSchema } from '../../answers/failure.ts';
import { type Endpoint, idempotencyOf, type ResponseBody } from '../endpoint/endpoint.ts';
import { type FailureKind, failureKinds } from '../endpoint/failure-kinds.ts';
import { jsonType, type Media, type MediaTable } from '../endpoint/media.ts';
import type { Links } from '../present.ts';
import type { Components } from './components.ts';
import { failuresOf } from './failures.ts';
import { headersNamed, tokenHeaders } from './headers.ts';
import { parametersOf } from './parameters.ts';
import type { Json } from './published-schema.ts';

export interface DocumentContext {
  readonly components: Components;
  readonly links: Links;
}

function mediaObject({ schema, example, examples }: Media, { components, links }: DocumentContext): Json {
  const several = Object.entries(examples ?? {}).map(([name, { summary, value }]) => [
    name,
    { summary, value: value(links) },
  ]);
  return {
    schema: components.schema(schema),
    ...(example === undefined ? {} : { example: example(links) }),
    ...(examples === undefined ? {} : { examples: Object.fromEntries(several) }),
  };
}

function contentOf(media: MediaTable, writing: DocumentContext): Json {
  return Object.fromEntries(Object.entries(media).map(([type, one]) => [type, mediaObject(one, writing)]));
}

function headersOf(endpoint: Endpoint): Json {
  return {
    ...(endpoint.etag === undefined ? {} : headersNamed('ETag')),
    ...(endpoint.setsCookie ? headersNamed('Set-Cookie') : {}),
    ...(endpoint.pages === undefined ? {} : headersNamed('Bourse-Cursor')),
    ...(endpoint.pages === 'counted' ? headersNamed('Bourse-Total') : {}),
    ...(idempotencyOf(endpoint) === 'once' ? headersNamed('Idempotent-Replayed') : {}),
    ...(endpoint.access.by === 'token' ? tokenHeaders : headersNamed('X-Request-Id')),
  };
}

function successOf(endpoint: Endpoint, writing: DocumentContext): Json {
  const { returns } = endpoint;
  const { description, type = jsonType, otherwise = {}, component }: ResponseBody = returns;
  const content = contentOf({ ...otherwise, [type]: returns }, writing);
  const response = { description, headers: headersOf(endpoint), content };
  return component === undefined ? response : writing.components.response(component, response);
}

function failureResponse(name: string, kind: FailureKind, { components }: DocumentContext): Json {
  const { description, headers, example } = kind;
  return components.response(name, {
    description,
    headers: { ...headers, ...tokenHeaders },
    content: { [jsonType]: { schema: components.schema(failureSchema), example } },
  });
}

function responsesOf(endpoint: Endpoint, writing: DocumentContext): Json {
  const failures = failuresOf(endpoint).map(([name, when]) => {
    const response = failureResponse(name, failureKinds[name], writing);
    return [failureKinds[name].status, when === undefined ? response : { ...response, description: when }];
  });
  const unchanged = { description: 'It is what If-None-Match names', headers: headersOf(endpoint) };
  return {
    200: successOf(endpoint, writing),
    ...(endpoint.etag === 'If-None-Match' ? { 304: unchanged } : {}),
    ...Object.fromEntries(failures),
  };
}

function bodyOf({ accepts }: Endpoint, writing: DocumentContext): { requestBody?: Json } {
  if (accepts === undefined || accepts.isOptional) return {};
  return { requestBody: { required: true, content: contentOf(accepts.media, writing) } };
}

export function operationOf(endpoint: Endpoint, writing: DocumentContext): Json {
  const { name, tag, summary, description, isSpecified = false, access } = endpoint;
  const parameters = parametersOf(endpoint);
  return {
    operationId: name,
    tags: [tag.name],
    summary,
    description,
    ...(isSpecified ? {} : { 'x-extension': true }),
    ...(access.by === 'token' ? {} : { security: [] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...bodyOf(endpoint, writing),
    responses: responsesOf(endpoint, writing),
  };
}
