import { registerHooks } from 'node:module';
import { fieldTables } from '../../console/build/field-tables-plugin.ts';

const virtual = 'virtual:field-tables';
const { load } = fieldTables as { readonly load: (id: string) => string | undefined };

/*
 * Modules of the console that are imported after this one, dynamically, find the tables of fields, as in the bundle.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === virtual ? { url: virtual, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === virtual
      ? { format: 'module', source: load(`\0${virtual}`) ?? '', shortCircuit: true }
      : next(url, context),
});
