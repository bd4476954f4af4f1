import { Button, Group, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { changeRequest, objectQuery, sendObject, type Values } from '../api/objects.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { entityOf, type ShownEntity } from '../field-tables.ts';
import { fieldOf, fieldsOf } from '../fields.ts';
import { blobOf, type Content, type ContentFailure, failureBeside, useContent } from '../parts/content.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { asError } from '../parts/faults.ts';
import { NotFound } from '../parts/not-found.tsx';
import { objectName, pluralOf } from '../parts/object-name.ts';
import { titleOf } from '../parts/value-text.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { announce } from '../shell/announcements.ts';
import { linesRequest } from './lines/send-lines.ts';
import { LinesRefusal, SendingProgress } from './lines/sending-progress.tsx';
import { useSend } from './lines/use-send.ts';
import { useDraft } from './settings/draft.ts';
import { SettingsForm } from './settings/settings-form.tsx';
import { type CheckResult, fieldOfPath, useCheck } from './settings/use-check.ts';

const LinesInput = lazy(async () => ({ default: (await import('./lines/lines-input.tsx')).LinesInput }));

/** Adds an object, by itself or as a copy of another one. */
export function NewObject() {
  const { entity: key } = useParams({ from: '/console/$entity/new' });
  const { copy, owner } = useSearch({ from: '/console/$entity/new' });
  const entity = entityOf(key);
  if (!entity) return <NotFound />;
  if (copy !== undefined) return <CopyForm entity={entity} id={copy} />;
  const isOf = owner !== undefined && entity.owner !== undefined;
  return isOf ? (
    <NewForm entity={entity} start={{ [entity.owner?.field ?? '']: owner }} draftName={`-of${owner}`} />
  ) : (
    <NewForm entity={entity} start={{}} />
  );
}

function CopyForm({ entity, id }: { readonly entity: ShownEntity; readonly id: number }) {
  const { data, error } = useQuery(objectQuery(entity, id));
  const tag = data?.tag ?? '';
  const lines = useQuery({
    queryKey: ['lines', entity.key, id, tag],
    queryFn: async () => (await import('./lines/ask-lines.ts')).wholeText(entity, id, tag),
    gcTime: 0,
    enabled: entity.side === 'list',
  });
  const start = useMemo(() => {
    const sent = fieldsOf(entity)
      .filter(({ presence }) => presence !== 'derived')
      .map(({ name }) => name);
    return Object.fromEntries(sent.map((name) => [name, data?.object[name]]));
  }, [entity, data]);
  const failure = error ?? lines.error;
  if (failure) return <ErrorNote error={failure} />;
  if (!data || lines.isLoading) return <Skeleton h={300} />;
  const Name = `${data.object.Name ?? ''} (copy)`;
  const copiedLines = lines.data && {
    file: new File([lines.data], `${objectName(data.object)}.txt`),
    text: '',
  };
  return (
    <NewForm
      entity={entity}
      start={{ ...start, Name }}
      {...(copiedLines && { startLines: copiedLines })}
      draftName={String(id)}
      isCopy
    />
  );
}

interface Addition {
  readonly values: Values;
  readonly content: Content;
  readonly isInactive: boolean;
}

/** Without lines there is nothing that a failure could belong to but the form. */
const lineFailure = (failure: ContentFailure | undefined, content: Content) =>
  failure && !blobOf(failure.of) ? failure.error : failureBeside(failure, content);

/** Adds an object once, however often it is asked to, and leads to it. */
function useAdd(entity: ShownEntity, { values, content, isInactive }: Addition, onAdded: () => void) {
  const sender = useSend(entity);
  const [failure, setFailure] = useState<ContentFailure>();
  const [isSaving, setSaving] = useState(false);
  const key = useRef(crypto.randomUUID());
  const client = useQueryClient();
  const navigate = useNavigate();
  const send = async (lines: Blob | undefined) =>
    lines
      ? sender.send(linesRequest(entity, 'add', values, lines), lines, key.current)
      : (await sendObject(entity, 'add', values, { key: key.current, isInactive })).object;
  const add = async (lines = blobOf(content)) => {
    setSaving(true);
    setFailure(undefined);
    try {
      const object = await send(lines);
      if (!object) {
        key.current = crypto.randomUUID();
        return;
      }
      onAdded();
      void client.invalidateQueries({ queryKey: ['objects', entity.key] });
      announce(`${entity.title} added`);
      await navigate({
        to: lines ? '/console/$entity/$id/lines' : '/console/$entity/$id',
        params: { entity: entity.key, id: String(object.Id) },
      });
    } catch (error) {
      key.current = crypto.randomUUID();
      setFailure({ error: asError(error), of: content });
    } finally {
      setSaving(false);
    }
  };
  const beside = lineFailure(failure, content);
  return { add, failure: beside, isSaving, ...sender };
}

interface FormProps {
  readonly entity: ShownEntity;
  readonly start: Values;
  /** Lines to begin with, of a list. */
  readonly startLines?: Content;
  /** Tells what is typed here from other forms of the entity. */
  readonly draftName?: string;
  readonly isCopy?: boolean;
}

function NewForm({ entity, start, startLines, draftName = '', isCopy = false }: FormProps) {
  const omitted = useMemo(
    () => Object.fromEntries(fieldsOf(entity).map(({ name, omitted: value }) => [name, value])),
    [entity],
  );
  const draft = useDraft(`${entity.key}-new${draftName}`, omitted);
  const {
    content: lines,
    set: setLines,
    clear,
  } = useContent(`${entity.key}-new${draftName}-lines`, startLines);
  const values = { ...start, ...draft.changed };
  const isBegun = Object.keys(draft.changed).length > 0 || lines.text !== '';
  const checked = useCheck(entity, 'add', values, isBegun || isCopy);
  const clearAll = () => {
    draft.clear();
    clear();
  };
  const starting = useStart(entity, checked, isCopy);
  const adding = useAdd(entity, { values, content: lines, isInactive: starting.isInactive }, clearAll);
  const may = mayChange(useAccount());
  const textField = fieldsOf(entity).find(({ place }) => place === 'listText');
  const choose = (chosen: Content) => {
    setLines(chosen);
    if (chosen.file && !values.Name) draft.set('Name', chosen.file.name.replace(/\.[^.]+$/, ''));
  };
  return (
    <Stack gap="md">
      <NewHead entity={entity} />
      <SettingsForm entity={entity} values={{ ...omitted, ...values }} checked={checked} onChange={draft.set}>
        {textField && (
          <Stack gap="md" component="section" aria-labelledby="new-lines">
            <Title order={2} size="h4" id="new-lines">
              Lines
            </Title>
            <Suspense fallback={<Skeleton h={320} />}>
              <LinesInput
                entity={entity}
                field={textField}
                lines={lines}
                isDisabled={!may || adding.isSaving}
                reason={may ? undefined : analystReason}
                onChange={choose}
              />
            </Suspense>
            {adding.share !== undefined && <SendingProgress share={adding.share} onCancel={adding.cancel} />}
            {adding.failure && (
              <LinesRefusal
                error={adding.failure}
                lines={blobOf(lines)}
                list={entity.key}
                onLeaveOut={({ rest }) => void adding.add(rest)}
              />
            )}
          </Stack>
        )}
      </SettingsForm>
      <AddBar
        entity={entity}
        values={values}
        lines={blobOf(lines)}
        adding={adding}
        starting={starting}
        isToldAbove={textField !== undefined}
        onClear={isBegun ? clearAll : undefined}
      />
    </Stack>
  );
}

/** Whether it starts inactive: a copy, and what lacks something that this form sets, unless the user says otherwise. */
function useStart(entity: ShownEntity, { warnings }: CheckResult, isCopy: boolean) {
  const [chosen, choose] = useState<boolean>();
  const isLacking = warnings.some(
    ({ Path, Blocking }) => Blocking === 1 && fieldOf(entity, fieldOfPath(Path))?.section !== 'Connections',
  );
  const why = isLacking
    ? 'It starts inactive because it is not ready to serve; see above'
    : 'It starts inactive because it is a copy: check it, then switch it on';
  const isReason = entity.isServing === true && (isLacking || isCopy);
  return { isShown: isReason, isInactive: chosen ?? isReason, why, choose };
}

function StartSwitch({ isShown, isInactive, why, choose }: ReturnType<typeof useStart>) {
  if (!isShown) return null;
  return (
    <Switch
      flex={1}
      label="Active at once"
      description={isInactive ? why : undefined}
      checked={!isInactive}
      onChange={({ currentTarget }) => choose(!currentTarget.checked)}
    />
  );
}

function NewHead({ entity }: { readonly entity: ShownEntity }) {
  return (
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
  );
}

interface BarProps {
  readonly entity: ShownEntity;
  readonly values: Values;
  readonly lines: Blob | undefined;
  readonly adding: ReturnType<typeof useAdd>;
  readonly starting: ReturnType<typeof useStart>;
  /** Why it failed stands elsewhere already. */
  readonly isToldAbove: boolean;
  readonly onClear: (() => void) | undefined;
}

function AddBar({ entity, values, lines, adding, starting, isToldAbove, onClear }: BarProps) {
  const may = mayChange(useAccount());
  const required = fieldsOf(entity).filter(({ name, presence }) => presence === 'required' && !values[name]);
  const missing = required.map(({ name }) => `${titleOf(name)} is required`).join(', ');
  return (
    <Group justify="flex-end" maw={960}>
      {adding.failure && !isToldAbove && (
        <Text c="red" size="sm" flex={1} role="alert">
          {adding.failure.message}
        </Text>
      )}
      <StartSwitch {...starting} />
      <ApiCall
        calls={{
          Add: lines
            ? linesRequest(entity, 'add', values, lines)
            : changeRequest(entity, 'add', values, { isInactive: starting.isInactive }),
        }}
      />
      {onClear && (
        <Button variant="default" onClick={onClear}>
          Clear
        </Button>
      )}
      <Button
        onClick={() => void adding.add()}
        loading={adding.isSaving}
        disabled={!may || missing !== ''}
        title={may ? missing || undefined : analystReason}
      >
        Add
      </Button>
    </Group>
  );
}
