import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { objectsQuery, sendObject, type Values } from '../../api/objects.ts';
import { objectName } from '../../parts/object-name.ts';
import { useAccount } from '../../session/session-context.ts';
import { accountValues } from './account-values.ts';
import { AddForm } from './add-form.tsx';
import { knownEntity } from './known-entity.ts';

/** Adds a publisher, or takes one that is there. */
export function PublisherStep({ onDone }: { readonly onDone: (id: number) => void }) {
  const entity = knownEntity('Publisher');
  const { Mail, Team } = useAccount();
  const { data: there = [] } = useQuery(objectsQuery(entity));
  const [values, change] = useState<Values>({ Country: Team.Country });
  const { Name = '', Country = '' } = values;
  return (
    <AddForm
      asked={['Name', 'Country'].map((name) => ({ entity, name, isNeeded: true }))}
      values={values}
      onChange={change}
      actionText="Add the publisher"
      add={async (key) => {
        const sent = accountValues(String(Name), String(Country), Mail, there);
        return (await sendObject(entity, 'add', sent, { key })).object;
      }}
      onAdded={({ Id }) => onDone(Id)}
    >
      {there.length > 0 && (
        <Select
          label="Choose an existing one"
          placeholder="or add one below"
          maw={420}
          searchable
          limit={100}
          data={there.map((one) => ({ value: String(one.Id), label: `${objectName(one)} (${one.Id})` }))}
          value={null}
          onChange={(id) => id && onDone(Number(id))}
        />
      )}
    </AddForm>
  );
}
