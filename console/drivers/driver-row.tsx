import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { entityOf, measures } from '../field-tables.ts';
import { Change } from '../parts/change.tsx';
import { amountText } from '../parts/value-text.ts';
import { Causes } from './causes.tsx';
import classes from './drivers.module.css';
import type { Driver, DriverObject } from './drivers.ts';

interface RowProps {
  readonly driver: Driver;
  readonly measure: string;
  /** Names by code. */
  readonly countries: Readonly<Record<string, string>>;
}

/** Who moved, by how much, and what happened there. */
export function DriverRow({ driver, measure, countries }: RowProps) {
  const { Objects, Country, Now, Before } = driver;
  const row = measures[measure];
  const difference = Now - Before;
  const sign = difference > 0 ? '+' : '−';
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <div>
          {Objects.map((object, index) => (
            <span key={`${object.Entity}${object.Id}`}>
              {index > 0 && ' with '}
              <ObjectLink object={object} />
            </span>
          ))}
          {Country !== undefined && (countries[Country] ?? (Country || 'Unknown country'))}
        </div>
        {Objects.map((object) => (
          <Causes key={`${object.Entity}${object.Id}`} object={object} isNamed={Objects.length > 1} />
        ))}
      </div>
      <div className={classes.change}>
        <b>
          {sign}
          {amountText(Math.abs(difference), row?.unit)}
        </b>
        <Change now={Now} before={Before} since="" isFalling={row?.isBurden === true} />
        <Text size="xs" c="dimmed">
          {amountText(Before, row?.unit)} → {amountText(Now, row?.unit)}
        </Text>
      </div>
    </li>
  );
}

function ObjectLink({ object: { Entity, Id, Name } }: { readonly object: DriverObject }) {
  return (
    <>
      <Link to="/console/$entity/$id/statistics" params={{ entity: Entity, id: String(Id) }}>
        {Name || `ID ${Id}`}
      </Link>{' '}
      <Text span size="xs" c="dimmed">
        {entityOf(Entity)?.title}
      </Text>
    </>
  );
}
