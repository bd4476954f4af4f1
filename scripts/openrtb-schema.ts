import { readFileSync } from 'node:fs';

/**
 * Makes the JSON Schema of the OpenRTB bid request or response from the tables of the IAB Tech Lab's own document,
 * `2.6.md` of github.com/InteractiveAdvertisingBureau/openrtb2.x, and prints it:
 *
 *     node scripts/openrtb-schema.ts <path of 2.6.md> > test/protocols/openrtb/bid-request-2.6.schema.json
 *     node scripts/openrtb-schema.ts <path of 2.6.md> BidResponse > test/protocols/openrtb/bid-response-2.6.schema.json
 *
 * Attributes that the tables do not know are refused, outside of `ext`.
 */
type Schema = Record<string, unknown>;
type Attribute = { readonly name: string; readonly type: string; readonly description: string };
type Table = { readonly section: string; readonly name: string; readonly attributes: readonly Attribute[] };

const root = process.argv[3] ?? 'BidRequest';
/** Sections of the objects below each root. */
const sections: Readonly<Record<string, RegExp>> = {
  BidRequest: /^### (3\.2\.\d+) - Object: (\w+)/,
  BidResponse: /^### (4\.2\.\d+) - Object: (\w+)/,
};
const heading = sections[root] ?? /^$/;
const row = /^\|\s*`?(\w+)`?\s*\|\s*([^|]+?)\s*\|\s*([^|]*)/;

function readTables(markdown: string): Table[] {
  const parts = markdown.split(/^(?=### [34]\.2\.\d+ - Object: )|^(?=##? \d)/m);
  return parts.flatMap((part) => {
    const [, section, name] = heading.exec(part) ?? [];
    if (section === undefined || name === undefined) return [];
    const attributes = part.split('\n').flatMap((line) => {
      const [, attribute = '', type = '', description = ''] = row.exec(line) ?? [];
      return attribute === '' || attribute === 'Attribute' ? [] : [{ name: attribute, type, description }];
    });
    return [{ section, name, attributes }];
  });
}

function objectOf({ name, description, type }: Attribute, tables: readonly Table[]): Schema {
  if (name === 'ext') return { type: 'object' };
  const section = /section ([34]\.2\.\d+)/i.exec(description)?.[1];
  const told = /`(\w+)` objects?/.exec(description)?.[1];
  const found =
    tables.find((table) => table.name.toLowerCase() === name || type.includes(table.name)) ??
    tables.find((table) => `${table.name.toLowerCase()}s` === name || table.name === told) ??
    tables.find((table) => table.section === section);
  if (found === undefined) throw new Error(`no object for ${name}: ${description}`);
  return { $ref: `#/definitions/${found.name}` };
}

function schemaOf(attribute: Attribute, tables: readonly Table[]): Schema {
  const type = attribute.type.replace(/<br>/g, ' ').replace(/, array/, ' array');
  const isArray = /\barray\b/.test(type);
  const word = type.replace(/\barray( of)?\b/, '').trim();
  const single = (): Schema => {
    if (/^int(eger)?\b/.test(word) || /^enum\b/.test(word)) return { type: 'integer' };
    if (/^float\b/.test(word)) return { type: 'number' };
    if (/^string\b/.test(word)) return { type: 'string' };
    return objectOf(attribute, tables);
  };
  return isArray ? { type: 'array', items: single() } : single();
}

/** "string; required", but not "string; required if …". */
const isRequired = ({ type }: Attribute) => /\brequired\s*$/.test(type);

function objectSchema({ section, attributes }: Table, tables: readonly Table[]): Schema {
  return {
    $comment: `OpenRTB 2.6 section ${section}`,
    type: 'object',
    properties: Object.fromEntries(attributes.map((one) => [one.name, schemaOf(one, tables)])),
    required: attributes.filter(isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

const tables = readTables(readFileSync(process.argv[2] ?? '2.6.md', 'utf8'));
const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $comment:
    'Made by scripts/openrtb-schema.ts from 2.6.md (OpenRTB 2.6-202606) of github.com/InteractiveAdvertisingBureau/openrtb2.x, (c) IAB Tech Lab, CC BY 3.0',
  $ref: `#/definitions/${root}`,
  definitions: Object.fromEntries(tables.map((table) => [table.name, objectSchema(table, tables)])),
};
console.log(JSON.stringify(schema, undefined, 2));
