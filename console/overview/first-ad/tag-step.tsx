import { useState } from 'react';
import { sendObject, type Values } from '../../api/objects.ts';
import { AddForm } from './add-form.tsx';
import { knownEntity } from './known-entity.ts';

interface StepProps {
  readonly publisherId: number;
  readonly onDone: (id: number) => void;
}

export function TagStep({ publisherId, onDone }: StepProps) {
  const entity = knownEntity('VastTag');
  const [values, change] = useState<Values>({
    Name: 'Homepage pre-roll',
    Bidfloor: 1,
    Width: 640,
    Height: 360,
  });
  return (
    <AddForm
      asked={[
        { entity, name: 'Name', isNeeded: true },
        { entity, name: 'Bidfloor', isNeeded: false },
      ]}
      values={values}
      onChange={change}
      actionText="Add the tag"
      add={async (key) =>
        (await sendObject(entity, 'add', { PublisherId: publisherId, ...values }, { key })).object
      }
      onAdded={({ Id }) => onDone(Id)}
    />
  );
}
