declare module 'virtual:field-tables' {
  import type { ShownEntity, ShownMeasures, ShownReports } from './field-tables.ts';

  export const entities: readonly ShownEntity[];
  export const measures: ShownMeasures;
  export const reports: ShownReports;
}

declare module 'virtual:answerable' {
  import type { Answerable } from '../src/statistics/asking/plan-report.ts';

  export const answerable: readonly Answerable[];
}

declare module 'virtual:fields' {
  import type { sections as all } from '../src/fields/section-names.ts';
  import type { ShownField, ShownFigure } from './field-tables.ts';

  /** By entity, and those of `Team`. */
  export const fields: readonly (readonly [string, readonly ShownField[]])[];
  export const figures: readonly ShownFigure[];
  export const sections: typeof all;
}

declare module 'virtual:guides' {
  import type { Guide, Picture } from './help/guide.ts';

  export const guides: readonly Guide[];
  /** The pictures that they show, by their names. */
  export const pictures: Readonly<Record<string, Picture>>;
}
