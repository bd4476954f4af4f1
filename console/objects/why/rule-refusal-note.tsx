import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { PairRefusal, ShownRefusal } from '../../../src/answers/explanation.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { fieldOf } from '../../fields.ts';
import { ReasonLink } from '../../parts/reason-link.tsx';
import { titleOf, valueText } from '../../parts/value-text.ts';
import classes from './outcome.module.css';

interface RuleRefusalProps {
  readonly refusal: PairRefusal & Partial<Pick<ShownRefusal, 'Help'>>;
  readonly entity: ShownEntity;
  /** The object whose field it is, for a way to it. */
  readonly id?: number;
}

const isSaid = (value: unknown) => value !== null && value !== undefined && value !== '';

/** A rule that refuses: what it wants and what it met, with a way to the field. */
export function RuleRefusalNote({
  refusal: { Rule, Help, Field, Wanted, Met },
  entity,
  id,
}: RuleRefusalProps) {
  const field = fieldOf(entity, Field);
  const text = (value: unknown) => {
    if (Array.isArray(value) && field && !field.labels) return value.map(String).join(', ');
    return (field && valueText(field, value)) || (typeof value === 'string' ? value : JSON.stringify(value));
  };
  const name = field ? titleOf(Field) : '';
  return (
    <Text size="sm" className={classes.refusal}>
      <ReasonLink name={Rule} help={Help} className={classes.rule} />
      {name && id !== undefined && (
        <Link
          to="/console/$entity/$id"
          params={{ entity: entity.key, id: String(id) }}
          search={{ field: Field }}
        >
          {name}
        </Link>
      )}
      {name && id === undefined && <span>{name}</span>}
      {isSaid(Wanted) && (
        <span>
          wants <b>{text(Wanted)}</b>
        </span>
      )}
      {isSaid(Met) && (
        <span>
          met <b>{text(Met)}</b>
        </span>
      )}
    </Text>
  );
}
