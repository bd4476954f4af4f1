import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Lack } from '../../src/answers/object-health.ts';
import type { ShownEntity } from '../field-tables.ts';
import { fieldOf } from '../fields.ts';
import { HelpText } from './help-text.tsx';
import classes from './lacks.module.css';
import { titleOf } from './value-text.ts';

interface LacksProps {
  readonly entity: ShownEntity;
  /** Absent for an object that is not there yet. */
  readonly id?: number;
  readonly lacks: readonly Lack[];
}

/** What keeps an object from serving, each with the way to where it is mended. */
export function Lacks({ entity, id, lacks }: LacksProps) {
  return (
    <ul className={classes.lacks}>
      {lacks.map((lack) => (
        <li key={lack.Field + lack.Message}>
          <Text size="sm">
            <Place entity={entity} id={id} field={lack.Field} /> <HelpText text={`${lack.Message}.`} />
          </Text>
        </li>
      ))}
    </ul>
  );
}

interface PlaceProps {
  readonly entity: ShownEntity;
  readonly id: number | undefined;
  readonly field: string;
}

function Place({ entity, id, field }: PlaceProps) {
  if (id === undefined) return <b>{titleOf(field)}</b>;
  const params = { entity: entity.key, id: String(id) };
  const isConnection =
    fieldOf(entity, field)?.section === 'Connections' &&
    (entity.side === 'supply' || entity.side === 'demand');
  return isConnection ? (
    <Link to="/console/$entity/$id/connections" params={params}>
      {titleOf(field)}
    </Link>
  ) : (
    <Link to="/console/$entity/$id" params={params} search={{ field }}>
      {titleOf(field)}
    </Link>
  );
}
