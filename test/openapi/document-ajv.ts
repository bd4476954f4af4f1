import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats, { type FormatsPluginOptions } from 'ajv-formats';
import { formats } from '../../src/fields/formats.ts';

// The package says of itself that it has a default export; by Node's rules its default is the whole module.
const addFormats = ajvFormats as unknown as (ajv: Ajv2020, options?: FormatsPluginOptions) => Ajv2020;

/** Members that the document adds to schemas for people and programs, without a meaning for validators. */
const annotations = ['x-section', 'x-unit', 'x-advanced', 'x-only-if', 'x-titles'];

/**
 * A validator of the document, as strict as any: it knows all standard formats and no others. With `ourFormats` it
 * also holds what `x-format` names, which strangers' validators pass over.
 */
export function documentAjv(document: object, { ourFormats }: { readonly ourFormats: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats(ajv);
  ajv.addVocabulary([...annotations, ...Object.keys(document)]);
  ajv.addKeyword({
    keyword: 'x-format',
    type: 'string',
    schemaType: 'string',
    validate: (name: keyof typeof formats, value: string) =>
      !ourFormats || value === '' || formats[name].test(value),
  });
  ajv.addSchema(document, 'document');
  return ajv;
}
