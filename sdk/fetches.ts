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

/** Of a list the form with its text: the client does not leave it out. */
type WithText<Body> = [Extract<Body, { ListText: string }>] extends [never]
  ? Body
  : Extract<Body, { ListText: string }>;

type OnePaths = {
  [Path in FetchPath]: {
    get: Narrowed<
      Get<Path>,
      Headers & {
        query: Omit<Query<Path>, 'Warnings' | 'WithoutText'> & {
          Id: number;
          Warnings?: never;
          WithoutText?: never;
        };
      },
      WithText<Exclude<Answer<Path>, readonly unknown[] | { Status: 'Ok' }>>
    >;
  };
};
/** Paths that can also tell what the object never meets. */
type WarningPath = {
  [Path in FetchPath]: 'Warnings' extends keyof Query<Path> ? Path : never;
}[FetchPath];
type WarnedPaths = {
  [Path in WarningPath]: {
    get: Narrowed<
      Get<Path>,
      Headers & { query: Omit<Query<Path>, 'Warnings'> & { Id: number; Warnings: 1 } },
      Extract<Answer<Path>, { Status: 'Ok' }>
    >;
  };
};
/** Arrays of objects that may lack any member, or those that may not. */
type Chosen<Body> = Body extends readonly (infer Item)[] ? (object extends Item ? Body : never) : never;
type InWhole<Body> = Body extends readonly (infer Item)[] ? (object extends Item ? never : Body) : never;
type ArrayQuery<Path extends FetchPath> = Omit<Query<Path>, 'Id' | 'AsOf' | 'Fields'> & {
  Id?: never;
  AsOf?: never;
};
type ManyPaths = {
  [Path in FetchPath]: {
    get: Narrowed<
      Get<Path>,
      Headers & { query?: ArrayQuery<Path> & { Fields?: never } },
      InWhole<Answer<Path>>
    >;
  };
};
type ChosenPaths = {
  [Path in FetchPath]: {
    get: Narrowed<
      Get<Path>,
      Headers & { query: ArrayQuery<Path> & { Fields: string } },
      Chosen<Answer<Path>>
    >;
  };
};

/**
 * `GET` by path. A fetch with `Id` answers one object and a fetch without it an array, each with its own type; with
 * `Fields` the array's objects may lack any member. Where
 * only the running program knows whether there is an `Id`, the answer is either.
 */
export type TypedGet = Client<OnePaths>['GET'] &
  Client<WarnedPaths>['GET'] &
  Client<ManyPaths>['GET'] &
  Client<ChosenPaths>['GET'] &
  Client<paths>['GET'];
