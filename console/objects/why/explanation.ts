import type { ApiRequest } from '../../api/call.ts';
import type { Values } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';

/** A request as the API takes it: a URL of the object with its macros filled, or a bid request. */
export type AskedRequest = { readonly Url: string } | { readonly OpenRtb: unknown };

/** A request of a text that a person has made. Throws where a bid request is no JSON. */
export const requestOf = (text: string, isUrl: boolean): AskedRequest =>
  isUrl ? { Url: text } : { OpenRtb: JSON.parse(text) as unknown };

/** Asks what would become of a request, without one of the last that was seen; with values that are not saved. */
export const explainRequest = (
  entity: ShownEntity,
  id: number,
  Request: AskedRequest | undefined,
  draft: Values,
) =>
  ({
    path: 'api/exchange/explain',
    body: {
      [entity.key]: { Id: id },
      ...(Request && { Request }),
      ...(Object.keys(draft).length > 0 && { Draft: draft }),
    },
  }) satisfies ApiRequest;
