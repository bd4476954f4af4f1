import type { Ajv, AnySchemaObject, ErrorObject } from 'ajv';
import { faultsShownMax } from '../fields/fault.ts';

/** An error as it was found: Ajv writes the data and schema of a list over those of its items' errors. */
export function asFound(error: ErrorObject): ErrorObject {
  return error.params.asFound ?? error;
}

/** Errors of a list's items, with the items' places; no more are looked for once there are more than are told. */
function errorsIn(items: readonly unknown[], at: string, check: ReturnType<Ajv['compile']>): ErrorObject[] {
  const errors: ErrorObject[] = [];
  for (const [index, item] of items.entries()) {
    if (check(item)) continue;
    for (const error of check.errors ?? []) {
      const instancePath = `${at}/${index}${error.instancePath}`;
      errors.push({ ...error, instancePath, params: { asFound: asFound(error) } });
    }
    if (errors.length > faultsShownMax) break;
  }
  return errors;
}

/**
 * Gives Ajv an `items` that stops, in place of its own: of a list with more items than it may have none is looked at,
 * and none after more faults than are told (decisions W20). A megabyte holds half a million wrong items, each of
 * which costs a hundred times what a right one does, and nobody else is served meanwhile.
 */
export function boundItems(ajv: Ajv): void {
  ajv.removeKeyword('items');
  ajv.addKeyword({
    keyword: 'items',
    type: 'array',
    errors: 'full',
    compile(itemSchema: AnySchemaObject, { maxItems = Number.POSITIVE_INFINITY }: AnySchemaObject) {
      const check = ajv.compile(itemSchema);
      const validate = (items: readonly unknown[], context?: { readonly instancePath: string }) => {
        if (items.length > maxItems) return true;
        validate.errors = errorsIn(items, context?.instancePath ?? '', check);
        return validate.errors.length === 0;
      };
      validate.errors = [] as ErrorObject[];
      return validate;
    },
  });
}
