import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';

/** As `scripts/openrtb-schema.ts` makes it from the IAB's tables. */
interface OpenRtbSchema {
  readonly $ref: string;
  readonly definitions: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
}

const schemaIn = (file: string): OpenRtbSchema =>
  JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));

/** JSON Schema of the OpenRTB 2.6 bid request. */
export const bidRequestSchema = schemaIn('bid-request-2.6.schema.json');

/** A check by a schema: what is wrong, a line each; nothing where the message is valid. */
function faultsBy(schema: OpenRtbSchema): (message: unknown) => readonly string[] {
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
  return (message) => {
    if (validate(message)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message: fault, params }) => `${instancePath} ${fault} ${JSON.stringify(params)}`,
    );
  };
}

/** JSON Schema of the OpenRTB 2.6 bid response. */
export const bidResponseSchema = schemaIn('bid-response-2.6.schema.json');

/** What the schema finds wrong with a bid request, a line each; empty where it is valid. */
export const faultsOfRequest = faultsBy(bidRequestSchema);

/** The same of a bid response. */
export const faultsOfResponse = faultsBy(bidResponseSchema);
