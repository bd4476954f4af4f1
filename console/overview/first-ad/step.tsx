import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { objectQuery } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { objectName } from '../../parts/object-name.ts';
import classes from './first-ad.module.css';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly state: 'later' | 'now' | 'done';
  readonly made?: ReactNode;
  readonly children: ReactNode;
}

/** One of the steps on the way: what it made, what is asked now, or what it will be about. */
export function Step({ number, title, text, state, made, children }: StepProps) {
  return (
    <li className={classes.step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={classes.number} aria-hidden>
        {state === 'done' ? <Check size={16} /> : number}
      </span>
      <Title order={2} size="h4" c={state === 'later' ? 'dimmed' : undefined}>
        {title}
      </Title>
      {state === 'done' ? (
        <Text size="sm">{made}</Text>
      ) : (
        <Text size="sm" c="dimmed" mb={state === 'now' ? 'md' : 0}>
          {text}
        </Text>
      )}
      {state === 'now' && children}
    </li>
  );
}

/** An object that was made, by its name. */
export function MadeObject({ entity, id }: { readonly entity: ShownEntity; readonly id: number }) {
  const { data } = useQuery(objectQuery(entity, id));
  return (
    <Link to="/console/$entity/$id" params={{ entity: entity.key, id: String(id) }}>
      {data ? objectName(data.object) : `${entity.title} ${id}`}
    </Link>
  );
}
