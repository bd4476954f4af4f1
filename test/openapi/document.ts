import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { documentAjv } from './document-ajv.ts';

export type Json = Readonly<Record<string, unknown>>;

interface Media {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface WithContent {
  readonly headers?: Json;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface DocumentOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
    readonly required?: boolean;
    readonly example?: unknown;
  }[];
  readonly requestBody?: WithContent;
  readonly responses: Readonly<Record<string, WithContent | { readonly $ref: string }>>;
  readonly 'x-extension'?: boolean;
}

/** The document as its readers see it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly responses: Readonly<Record<string, WithContent>>;
  };
}

/** Requires one of several parameters, which the document says in words. */
const byChoice: Readonly<Record<string, string>> = { getIntegrations: '?VastTag=1' };

/** The query with which an operation can be called: examples of what it requires, and object 1. */
export function requiredQuery({ operationId, parameters = [] }: DocumentOperation): string {
  const chosen = byChoice[operationId];
  if (chosen !== undefined) return chosen;
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const pairs = required.map(({ name, example }) => [name, String(example ?? 1)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(pairs))}`;
}

/** One operation with where it is found. */
export interface Found {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentOperation;
}

export function operationsOf({ paths }: ApiDocument): Found[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([key, operation]) => {
      const method = key.toUpperCase();
      return { name: `${method} ${path}`, method, path, operation };
    }),
  );
}

function pointer(...parts: readonly string[]): string {
  return parts
    .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}

/** Checks values against schemas of the document by their place in it. */
export class Checker {
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #responses: ApiDocument['components']['responses'];

  constructor(document: ApiDocument, { ourFormats = true } = {}) {
    this.#responses = document.components.responses;
    this.#ajv = documentAjv(document, { ourFormats });
  }

  /** Names of the headers that an operation's answer of that status is said to have, in lower case. */
  headersOf({ operation }: Found, status: number): readonly string[] {
    const response = operation.responses[status] ?? {};
    const name = '$ref' in response ? response.$ref.split('/').at(-1) : undefined;
    const { headers = {} } = name === undefined ? (response as WithContent) : (this.#responses[name] ?? {});
    return Object.keys(headers).map((header) => header.toLowerCase());
  }

  /** What is wrong with a value, in words; empty when it is right. */
  faults(value: unknown, ...place: readonly string[]): string {
    const at = pointer(...place);
    const validate = this.#compiled.get(at) ?? this.#ajv.compile({ $ref: `document#${at}` });
    this.#compiled.set(at, validate);
    return validate(value) ? '' : this.#ajv.errorsText(validate.errors);
  }

  /** What is wrong with an answer of an operation; empty when it is as the document says. */
  answerFaults(
    { path, method, operation }: Found,
    status: number,
    body: unknown,
    type = 'application/json',
  ): string {
    const response = operation.responses[status];
    if (response === undefined) return `status ${status} is not documented`;
    const place =
      '$ref' in response
        ? response.$ref.slice('#/'.length).split('/')
        : ['paths', path, method.toLowerCase(), 'responses', String(status)];
    return this.faults(body, ...place, 'content', type, 'schema');
  }
}

/** Every example with the place of the schema that it must satisfy. */
export function examplesOf(document: ApiDocument): { readonly place: string[]; readonly value: unknown }[] {
  const inContent = ({ content = {} }: WithContent, place: readonly string[]) =>
    Object.entries(content).flatMap(([type, media]) => {
      const values = Object.values(media.examples ?? {}).map(({ value }) => value);
      if ('example' in media) values.push(media.example);
      return values.map((value) => ({ place: [...place, 'content', type, 'schema'], value }));
    });
  const inPaths = operationsOf(document).flatMap(({ path, method, operation }) => {
    const place = ['paths', path, method.toLowerCase()];
    const responses = Object.entries(operation.responses).flatMap(([status, response]) =>
      '$ref' in response ? [] : inContent(response, [...place, 'responses', status]),
    );
    return [...inContent(operation.requestBody ?? {}, [...place, 'requestBody']), ...responses];
  });
  const inComponents = Object.entries(document.components.responses).flatMap(([name, response]) =>
    inContent(response, ['components', 'responses', name]),
  );
  return [...inPaths, ...inComponents];
}
