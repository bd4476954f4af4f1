declare module 'virtual:field-tables' {
  import type { sections as all } from '../src/fields/section-names.ts';
  import type { ShownEntity, ShownMeasures } from './field-tables.ts';

  export const entities: readonly ShownEntity[];
  export const measures: ShownMeasures;
  export const sections: typeof all;
}

declare module 'virtual:guides' {
  import type { Guide } from './help/guide.ts';

  export const guides: readonly Guide[];
}
