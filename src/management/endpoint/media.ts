import type { TSchema } from 'typebox';
import type { Links } from '../present.ts';

/** Media type of JSON. */
export const jsonType = 'application/json';

/** An example, where URLs begin with those of the installation. */
export type Example = (links: Links) => unknown;

/** Content of one media type, as the OpenAPI document tells of it. */
export interface Media {
  readonly schema: TSchema;
  readonly example?: Example | undefined;
  /** Several examples, by name. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: Example }>>;
}

export type MediaTable = Readonly<Record<string, Media>>;
