declare module 'virtual:field-tables' {
  import type { sections as all } from '../src/fields/section-names.ts';
  import type { ShownEntity, ShownMeasures, ShownReports } from './field-tables.ts';

  export const entities: readonly ShownEntity[];
  export const measures: ShownMeasures;
  export const reports: ShownReports;
  export const sections: typeof all;
}

declare module 'virtual:guides' {
  import type { Guide, Picture } from './help/guide.ts';

  export const guides: readonly Guide[];
  /** The pictures that they show, by their names. */
  export const pictures: Readonly<Record<string, Picture>>;
}
