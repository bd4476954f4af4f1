import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { ShownField } from '../../field-tables.ts';
import { inSentences } from '../../parts/sentence.ts';
import { titleOf } from '../../parts/value-text.ts';
import { ApiName } from './api-name.tsx';
import { isWide } from './field-form.ts';
import classes from './field-grid.module.css';

interface GridProps {
  readonly fields: readonly ShownField[];
  readonly children: (field: ShownField) => ReactNode;
}

function Sentence({ fields, children }: GridProps) {
  return (
    <fieldset className={classes.group}>
      <Text component="legend" size="sm" fw={600}>
        {titleOf(fields[0]?.name ?? '')}
      </Text>
      <div className={classes.sentence}>
        {fields.map((field) => (
          <Fragment key={field.name}>{children(field)}</Fragment>
        ))}
      </div>
      <Text size="xs" c="dimmed" mt={6} component="dl" className={classes.helps}>
        {fields.map(({ name, help }) => (
          <div key={name}>
            <dt>
              {titleOf(name)}
              <ApiName name={name} />
            </dt>
            <dd>{help}</dd>
          </div>
        ))}
      </Text>
    </fieldset>
  );
}

/** Inputs of fields in two columns where there is room for them, long ones across both. */
export function FieldGrid({ fields, children }: GridProps) {
  return (
    <div className={classes.fields}>
      <div className={classes.grid}>
        {inSentences(fields, (field) => field).map(([first, ...more]) => (
          <div key={first.name} className={isWide(first) ? classes.wide : undefined} data-field={first.name}>
            {first.phrase ? <Sentence fields={[first, ...more]}>{children}</Sentence> : children(first)}
          </div>
        ))}
      </div>
    </div>
  );
}
