import { registerHooks } from 'node:module';
import { tablesAt } from './field-tables-plugin.ts';

/*
 * Modules of the console that are imported after this one, dynamically, find the tables of fields, as in the bundle.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    tablesAt(specifier) === undefined ? next(specifier, context) : { url: specifier, shortCircuit: true },
  load(url, context, next) {
    const source = tablesAt(url);
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});
