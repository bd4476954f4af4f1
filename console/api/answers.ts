import type { paths } from '../../sdk/generated/schema.d.ts';

/** Values by field name, as the API takes and answers them. */
export type Values = Readonly<Record<string, unknown>>;

/** An object as the API answers it. */
export type Stored = Values & { readonly Id: number };

/** What a path answers, by the OpenAPI document. */
type Documented<Path extends keyof paths> = {
  [Method in 'get' | 'post']: paths[Path][Method] extends {
    responses: { 200: { content: { 'application/json': infer Answer } } };
  }
    ? Answer
    : never;
}['get' | 'post'];

type Known<Path> = Path extends `/${infer Name}` ? Name : never;

/** Answers of all entities alike, whose fields are data here: a screen knows no entity by name. */
interface OfEntity {
  readonly [path: `api/${string}/get`]: Stored | readonly Stored[];
  readonly [path: `api/${string}/connected`]: Documented<'/api/ortb/vasttag/connected'>;
  readonly [path: `api/${string}/sendings`]: Documented<
    '/api/report/sendings' | '/api/alert/sendings' | '/api/deal/sendings'
  >;
  readonly [path: `api/${string}/${Change}`]: Changed;
}
type Change = 'add' | 'update' | 'activate' | 'deactivate' | 'rotate';

/** An object after a change, below its wrapper. */
export interface Changed {
  readonly Warnings?: readonly (
    | { readonly Path: string; readonly Message: string; readonly Blocking?: 1 }
    | { readonly Path?: never }
  )[];
  readonly [wrapper: string]: unknown;
}

/** A path of the API, as `api/search`. */
export type ApiPath = Known<keyof paths> | (keyof OfEntity & string);

export type AnswerTo<Path extends ApiPath> = `/${Path}` extends infer Whole extends keyof paths
  ? Documented<Whole>
  : Path extends keyof OfEntity
    ? OfEntity[Path]
    : never;

/** The array that is answered where no `Id` is asked for. */
export function arrayIn<T>(answer: T): Extract<T, readonly unknown[]> {
  if (!Array.isArray(answer)) throw new TypeError('the answer is one object');
  return answer as Extract<T, readonly unknown[]>;
}

/** The object that is answered where an `Id` is asked for. */
export function objectIn<T>(answer: T): Exclude<T, readonly unknown[]> {
  if (Array.isArray(answer)) throw new TypeError('the answer is an array');
  return answer as Exclude<T, readonly unknown[]>;
}

const isStored = (value: unknown): value is Stored =>
  typeof value === 'object' && value !== null && 'Id' in value && typeof value.Id === 'number';

/** The object that a change answers, below its wrapper. */
export function changedIn(answer: Changed, wrapper: string): Stored {
  const object = answer[wrapper];
  if (!isStored(object)) throw new TypeError(`the answer has no ${wrapper}`);
  return object;
}
