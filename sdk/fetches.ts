import type { Client } from 'openapi-fetch';
import type { paths } from './generated/schema.d.ts';

type Get<Path extends keyof paths> = paths[Path] extends { get: infer Operation } ? Operation : never;
type Answer<Path extends keyof paths> =
  Get<Path> extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never;
type Query<Path extends keyof paths> =
  Get<Path> extends { parameters: { query?: infer Sent } } ? NonNullable<Sent> : never;

/** Paths that answer one object with `Id`, and an array without. */
type FetchPath = {
  // No query at all is `never`, of which every name would be a key.
  [Path in keyof paths]: [Query<Path>] extends [never]
    ? never
    : 'AfterId' extends keyof Query<Path>
      ? Path
      : never;
}[keyof paths];

/** The same operation with another query and another answer. */
type Narrowed<Operation, Parameters, Body> = Operation extends { responses: infer Responses }
  ? Omit<Operation, 'parameters' | 'responses'> & {
      parameters: Parameters;
      responses: Omit<Responses, 200> & {
        200: { headers: Record<string, unknown>; content: { 'application/json': Body } };
      };
    }
  : never;

interface Headers {
  header?: { 'If-None-Match'?: string };
  path?: never;
  cookie?: never;
}

type OnePaths = {
  [Path in FetchPath]: {
    get: Narrowed<
      Get<Path>,
      Headers & { query: Query<Path> & { Id: number } },
      Exclude<Answer<Path>, readonly unknown[]>
    >;
  };
};
type ManyPaths = {
  [Path in FetchPath]: {
    get: Narrowed<
      Get<Path>,
      Headers & { query?: Omit<Query<Path>, 'Id' | 'AsOf'> & { Id?: never; AsOf?: never } },
      Extract<Answer<Path>, readonly unknown[]>
    >;
  };
};

/**
 * `GET` by path. A fetch with `Id` answers one object and a fetch without it an array, each with its own type. Where
 * only the running program knows whether there is an `Id`, the answer is either.
 */
export type TypedGet = Client<OnePaths>['GET'] & Client<ManyPaths>['GET'] & Client<paths>['GET'];
