import type { Ajv, AnySchemaObject, ErrorObject } from 'ajv';
import { faultsShownMax } from '../../fields/fault.ts';

/** As the item's check reported it: Ajv overwrites data and schema with the list's. */
export function originalError(error: ErrorObject): ErrorObject {
  return error.params.asFound ?? error;
}

function errorsIn(items: readonly unknown[], at: string, check: ReturnType<Ajv['compile']>): ErrorObject[] {
  const errors: ErrorObject[] = [];
  for (const [index, item] of items.entries()) {
    if (check(item)) continue;
    for (const error of check.errors ?? []) {
      const instancePath = `${at}/${index}${error.instancePath}`;
      errors.push({ ...error, instancePath, params: { asFound: originalError(error) } });
    }
    if (errors.length > faultsShownMax) break;
  }
  return errors;
}

/** Stops early (reference, W20): wrong items take long, and hold others up. */
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
