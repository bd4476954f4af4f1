import type { TSchema } from 'typebox';
import type { Links } from '../present.ts';

export const jsonType = 'application/json';

/** With the installation's URLs. */
export type Example = (links: Links) => unknown;

/** As in the OpenAPI document. */
export interface Media {
  readonly schema: TSchema;
  readonly example?: Example | undefined;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: Example }>>;
}

export type MediaTable = Readonly<Record<string, Media>>;
