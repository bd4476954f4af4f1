import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiDocument, Found, Json } from '../openapi/document.ts';
import { documentAjv } from '../openapi/document-ajv.ts';
import { entityAt } from './requests.ts';

/** The body without the members that only answers carry, which are ignored (reference, W5). */
function withoutDerived(path: string, body: unknown): unknown {
  const entity = entityAt(path);
  const inner = entity && (body as Json)[entity.wrapper];
  if (!entity || typeof inner !== 'object' || inner === null || Array.isArray(inner)) return body;
  const isKept = (name: string) =>
    (name === 'Id' && !path.endsWith('/add')) ||
    !Object.hasOwn(entity.fields, name) ||
    entity.fields[name]?.presence !== 'derived';
  const kept = Object.entries(inner).filter(([name]) => isKept(name));
  return { ...(body as Json), [entity.wrapper]: Object.fromEntries(kept) };
}

/**
 * Checks bodies against their operation's schema: tells what is wrong, `''` where nothing is, undefined where none is.
 */
export function createRequestCheck(document: ApiDocument) {
  const ajv = documentAjv(document, { ourFormats: true });
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = ({ path }: Found): ValidateFunction => {
    const at = path.replaceAll('/', '~1');
    const validate =
      compiled.get(path) ??
      ajv.compile({ $ref: `document#/paths/${at}/post/requestBody/content/application~1json/schema` });
    compiled.set(path, validate);
    return validate;
  };
  return (found: Found, body: unknown): string | undefined => {
    if (!found.operation.requestBody?.content?.['application/json']) return undefined;
    const validate = validatorOf(found);
    return validate(withoutDerived(found.path, body)) ? '' : ajv.errorsText(validate.errors);
  };
}
