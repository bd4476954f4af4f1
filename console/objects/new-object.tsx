import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { objectQuery, sendObject, type Values } from '../api/objects.ts';
import { entityOf, type ShownEntity } from '../field-tables.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { NotFound } from '../parts/not-found.tsx';
import { pluralOf } from '../parts/object-name.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { announce } from '../shell/announcements.ts';
import { ApiCall } from './settings/api-call.tsx';
import { useDraft } from './settings/draft.ts';
import { SettingsForm } from './settings/settings-form.tsx';
import { useCheck } from './settings/use-check.ts';

/** Adds an object, by itself or as a copy of another one. */
export function NewObject() {
  const { entity: key } = useParams({ from: '/console/$entity/new' });
  const { copy } = useSearch({ from: '/console/$entity/new' });
  const entity = entityOf(key);
  if (!entity) return <NotFound />;
  return copy === undefined ? <NewForm entity={entity} start={{}} /> : <CopyForm entity={entity} id={copy} />;
}

function CopyForm({ entity, id }: { readonly entity: ShownEntity; readonly id: number }) {
  const { data, error } = useQuery(objectQuery(entity, id));
  const start = useMemo(() => {
    const sent = entity.fields.filter(({ presence }) => presence !== 'derived').map(({ name }) => name);
    return Object.fromEntries(sent.map((name) => [name, data?.object[name]]));
  }, [entity, data]);
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton h={300} />;
  return (
    <NewForm entity={entity} start={{ ...start, Name: `${data.object.Name ?? ''} (copy)` }} copied={id} />
  );
}

/** Adds an object once, however often it is asked to, and leads to it. */
function useAdd(entity: ShownEntity, values: Values, onAdded: () => void) {
  const [failure, setFailure] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const key = useRef(crypto.randomUUID());
  const client = useQueryClient();
  const navigate = useNavigate();
  const add = async () => {
    setSaving(true);
    setFailure(undefined);
    try {
      const { object } = await sendObject(entity, 'add', values, { key: key.current });
      onAdded();
      void client.invalidateQueries({ queryKey: ['objects', entity.key] });
      announce(`${entity.title} added`);
      await navigate({ to: '/console/$entity/$id', params: { entity: entity.key, id: String(object.Id) } });
    } catch (error) {
      key.current = crypto.randomUUID();
      setFailure(error as Error);
    } finally {
      setSaving(false);
    }
  };
  return { add, failure, isSaving };
}

interface FormProps {
  readonly entity: ShownEntity;
  /** Values to begin with. */
  readonly start: Values;
  readonly copied?: number;
}

function NewForm({ entity, start, copied }: FormProps) {
  const omitted = useMemo(
    () => Object.fromEntries(entity.fields.map(({ name, omitted: value }) => [name, value])),
    [entity],
  );
  const draft = useDraft(`${entity.key}-new${copied ?? ''}`, omitted);
  const values = { ...start, ...draft.changed };
  const isBegun = Object.keys(draft.changed).length > 0;
  const checked = useCheck(entity, 'add', values, isBegun || copied !== undefined);
  const { add, failure, isSaving } = useAdd(entity, values, draft.clear);
  const may = mayChange(useAccount());
  const required = entity.fields.filter(({ name, presence }) => presence === 'required' && !values[name]);
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <Text size="sm" c="dimmed">
          <Link to="/console/$entity" params={{ entity: entity.key }}>
            {pluralOf(entity)}
          </Link>{' '}
          / new
        </Text>
        <Title order={1} size="h3">
          New {entity.title}
        </Title>
        <Text c="dimmed" size="sm">
          It is {entity.help}.
        </Text>
      </Stack>
      <SettingsForm
        entity={entity}
        values={{ ...omitted, ...values }}
        checked={checked}
        onChange={draft.set}
      />
      <Group justify="flex-end" maw={960}>
        {failure && (
          <Text c="red" size="sm" flex={1} role="alert">
            {failure.message}
          </Text>
        )}
        <ApiCall entity={entity} operation="add" values={values} />
        {isBegun && (
          <Button variant="default" onClick={draft.clear}>
            Clear
          </Button>
        )}
        <Button
          onClick={() => void add()}
          loading={isSaving}
          disabled={!may || required.length > 0}
          title={
            may ? required.map(({ name }) => `${name} is needed`).join(', ') || undefined : analystReason
          }
        >
          Add
        </Button>
      </Group>
    </Stack>
  );
}
