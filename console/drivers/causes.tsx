import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { entityOf } from '../field-tables.ts';
import { fieldOf } from '../fields.ts';
import { FieldValue } from '../parts/field-value.tsx';
import { figureText } from '../parts/figure-text.ts';
import { Moment } from '../parts/moment.tsx';
import { titleOf } from '../parts/value-text.ts';
import classes from './drivers.module.css';
import type { DriverChange, DriverObject } from './drivers.ts';

interface CausesProps {
  readonly object: DriverObject;
  /** Whether another object stands beside it, so that its name is needed. */
  readonly isNamed: boolean;
}

/** What happened at an object: changes, since when it is quiet, and other figures that moved. */
export function Causes({ object, isNamed }: CausesProps) {
  const { Name, Id, Figures, QuietSince, Changes } = object;
  if (Figures.length === 0 && !QuietSince && Changes.length === 0) return null;
  const name = isNamed ? `${Name || `ID ${Id}`}: ` : '';
  return (
    <ul className={classes.causes}>
      {Changes.map((change) => (
        <li key={`${change.Revision}${change.Entity}`}>
          {name}
          <ChangeText change={change} object={object} />
        </li>
      ))}
      {QuietSince && (
        <li>
          {name}no {titleOf(QuietSince.Measure).toLowerCase()} since <Moment time={QuietSince.Time} />
        </li>
      )}
      {Figures.length > 0 && (
        <li>
          {name}
          {Figures.map(({ Measure, Now, Before }) => {
            const [now, before] = [Now, Before].map((value) => figureText(Measure, { [Measure]: value }));
            return `${titleOf(Measure)} ${before} → ${now}`;
          }).join(', ')}
        </li>
      )}
    </ul>
  );
}

const done: Readonly<Record<string, string>> = {
  add: 'added',
  update: 'changed',
  activate: 'activated',
  deactivate: 'deactivated',
  connect: 'connections changed',
  rotate: 'credential replaced',
};
const fieldsMax = 2;

interface ChangeProps {
  readonly change: DriverChange;
  readonly object: DriverObject;
}

/** What was done, when and by whom, with the way to its entry in the history. */
function ChangeText({ change, object }: ChangeProps) {
  const { Entity, Id, Operation, Changes, Time, UserName, Revision } = change;
  const fields = Changes.filter(({ Field }) => Field !== 'StatusString');
  const isOwn = Entity === object.Entity && Id === object.Id;
  const more = fields.length - fieldsMax;
  return (
    <>
      {!isOwn && `${entityOf(Entity)?.title ?? titleOf(Entity)} `}
      <Link
        to="/console/$entity/$id/history"
        params={{ entity: Entity, id: String(Id) }}
        search={{ revision: Revision }}
      >
        {Operation === 'update' && fields.length > 0
          ? fields.slice(0, fieldsMax).map((field, index) => (
              <span key={field.Field}>
                {index > 0 && ', '}
                <FieldText entityKey={Entity} field={field} />
              </span>
            ))
          : (done[Operation] ?? 'changed')}
        {Operation === 'update' && more > 0 && ` and ${more} more`}
      </Link>{' '}
      <Text span inherit c="dimmed">
        <Moment time={Time} /> by {UserName || 'Bourse'}
      </Text>
    </>
  );
}

interface FieldTextProps {
  readonly entityKey: string;
  readonly field: DriverChange['Changes'][number];
}

function FieldText({ entityKey, field: changed }: FieldTextProps) {
  const entity = entityOf(entityKey);
  const field = entity && fieldOf(entity, changed.Field);
  const title = titleOf(changed.Field);
  if (!field || !('New' in changed)) return `${title} changed`;
  return (
    <>
      {title} <FieldValue field={field} value={changed.Old} none="empty" /> →{' '}
      <FieldValue field={field} value={changed.New} none="empty" />
    </>
  );
}
