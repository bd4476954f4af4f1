import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { entityOf } from '../field-tables.ts';
import { batchText, isMany } from '../history/batch-text.ts';
import { written } from '../objects/history/change-words.ts';
import type { Change } from '../objects/history/history.ts';
import { Moment } from '../parts/moment.tsx';
import { titleOf } from '../parts/value-text.ts';

const fieldsMax = 4;

const verb = (operation: string) =>
  operation === 'rotate' ? `${written(operation)} of` : written(operation);

interface LineProps {
  readonly change: Change;
  readonly name: string | undefined;
}

/** Who changed what, with the way to its entry in the history. */
export function ChangeLine({ change, name }: LineProps) {
  const { Time, UserName } = change;
  return (
    <li>
      <Text span inherit c="dimmed">
        <Moment time={Time} />
      </Text>{' '}
      <b>{UserName || 'Bourse'}</b>{' '}
      {isMany(change.Batch) ? <BatchWords change={change} /> : <Words change={change} name={name} />}
    </li>
  );
}

function BatchWords({ change: { Batch = [], BatchId = '', Operation } }: { readonly change: Change }) {
  return (
    <>
      {Batch.length === 1 && `${verb(Operation)} `}
      <Link to="/console/history" search={{ batch: BatchId }}>
        {batchText(Batch)}
      </Link>
    </>
  );
}

function Words({ change, name }: LineProps) {
  const { Entity, Id, Operation, Changes, Revision } = change;
  const entity = entityOf(Entity);
  const fields = Changes.map(({ Field }) => Field)
    .filter((field) => field !== 'StatusString')
    .map(titleOf);
  const more = fields.length - fieldsMax;
  const isUpdate = Operation === 'update' && fields.length > 0;
  return (
    <>
      {verb(Operation)}{' '}
      {isUpdate && `${fields.slice(0, fieldsMax).join(', ')}${more > 0 ? ` and ${more} more` : ''} of `}
      {entity?.title ?? titleOf(Entity)}{' '}
      {entity ? (
        <Link
          to="/console/$entity/$id/history"
          params={{ entity: Entity, id: String(Id) }}
          search={{ revision: Revision }}
        >
          {name ?? Id}
        </Link>
      ) : (
        Id
      )}
    </>
  );
}
