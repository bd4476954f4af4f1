import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';

/** As `scripts/openrtb-schema.ts` makes it from the IAB's tables. */
interface BidRequestSchema {
  readonly $ref: string;
  readonly definitions: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
}

/** JSON Schema of the OpenRTB 2.6 bid request. */
export const bidRequestSchema: BidRequestSchema = JSON.parse(
  readFileSync(join(import.meta.dirname, 'bid-request-2.6.schema.json'), 'utf8'),
);

const validate = new Ajv({ allErrors: true, strict: false }).compile(bidRequestSchema);

/** What the schema finds wrong with a bid request, a line each; empty where it is valid. */
export function faultsOfRequest(request: unknown): readonly string[] {
  if (validate(request)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
