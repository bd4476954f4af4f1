import type { ReactNode } from 'react';
import type { ShownField } from '../../field-tables.ts';
import { isWide } from './field-form.ts';
import classes from './field-grid.module.css';

interface GridProps {
  readonly fields: readonly ShownField[];
  readonly children: (field: ShownField) => ReactNode;
}

/** Inputs of fields in two columns where there is room for them, long ones across both. */
export function FieldGrid({ fields, children }: GridProps) {
  return (
    <div className={classes.fields}>
      <div className={classes.grid}>
        {fields.map((field) => (
          <div key={field.name} className={isWide(field) ? classes.wide : undefined}>
            {children(field)}
          </div>
        ))}
      </div>
    </div>
  );
}
