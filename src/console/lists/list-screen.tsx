import { Alert, Badge, Button, Group, Skeleton, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { objectsQuery, type Stored, useSwitch } from '../api/objects.ts';
import { fieldOf, type ShownEntity } from '../field-tables.ts';
import { valueText } from '../parts/value-text.ts';
import { analystReason } from '../session/session.ts';
import { pluralOf } from '../shell/shell.tsx';
import classes from './list-screen.module.css';

/** What a list shows of its objects beside their status and name, where the entity has it. */
const preferred = ['PublisherName', 'AdvertiserName', 'Type', 'TodayRevenue', 'TodayFillRate', 'YesterdayRevenue', 'Qps'];
const rowHeight = 44;

/** What the address of a list says. */
export interface ListSearch {
  readonly q?: string | undefined;
}

function columnsOf(entity: ShownEntity) {
  return preferred.flatMap((name) => fieldOf(entity, name) ?? []);
}

const nameOf = (object: Stored): string => String(object.Name ?? object.Username ?? object.CompanyName ?? `#${object.Id}`);

function matches(object: Stored, words: readonly string[]): boolean {
  const text = `${object.Id} ${nameOf(object)} ${object.PublisherName ?? ''} ${object.AdvertiserName ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

interface ListProps {
  readonly entity: ShownEntity;
  readonly search: ListSearch;
  readonly mayChange: boolean;
}

/** All objects of an entity: found, switched on and off, and opened. */
export function ListScreen({ entity, search, mayChange }: ListProps) {
  const { data, error, isPending } = useQuery(objectsQuery(entity));
  const navigate = useNavigate();
  const words = (search.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = useMemo(() => data?.filter((object) => matches(object, words)) ?? [], [data, words.join(' ')]);
  const find = (q: string) => void navigate({ to: '.', search: q === '' ? {} : { q }, replace: true });
  return (
    <Stack gap="md" h="calc(100dvh - 52px - 2 * var(--mantine-spacing-lg))">
      <Group justify="space-between">
        <Group gap="sm" align="baseline">
          <Title order={1} size="h3">
            {pluralOf(entity)}
          </Title>
          <Text c="dimmed">{data && found.length === data.length ? data.length : data && `${found.length} of ${data.length}`}</Text>
        </Group>
        <Button
          disabled={!mayChange}
          title={mayChange ? undefined : analystReason}
          renderRoot={(props) => <Link to="/$entity/new" params={{ entity: entity.key }} {...props} />}
        >
          New {entity.title}
        </Button>
      </Group>
      <TextInput
        aria-label={`Search ${pluralOf(entity)}`}
        placeholder="Search by name, ID or owner"
        value={search.q ?? ''}
        onChange={({ currentTarget }) => find(currentTarget.value)}
      />
      {error && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {isPending && <Skeleton h={rowHeight * 6} />}
      {data?.length === 0 && <Text c="dimmed">There is no {entity.title} yet: {entity.help}.</Text>}
      {found.length > 0 && <Rows entity={entity} objects={found} mayChange={mayChange} />}
    </Stack>
  );
}

function Rows({ entity, objects, mayChange }: { entity: ShownEntity; objects: readonly Stored[]; mayChange: boolean }) {
  const columns = useMemo(() => columnsOf(entity), [entity]);
  const box = useRef<HTMLDivElement>(null);
  const toggle = useSwitch(entity);
  const rows = useVirtualizer({
    count: objects.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const template = `64px minmax(200px, 2fr) repeat(${columns.length}, minmax(110px, 1fr))`;
  return (
    <div ref={box} className={classes.box} role="table" aria-rowcount={objects.length + 1} tabIndex={-1}>
      <div className={classes.head} role="row" style={{ gridTemplateColumns: template }}>
        <span role="columnheader">Active</span>
        <span role="columnheader">Name</span>
        {columns.map(({ name, help, unit }) => (
          <span key={name} role="columnheader" title={help}>
            {name}
            {unit && <Text component="span" size="xs" c="dimmed">{` ${unit}`}</Text>}
          </span>
        ))}
      </div>
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const object = objects[index];
          if (!object) return null;
          const isActive = object.Status === 0;
          return (
            <div
              key={object.Id}
              role="row"
              aria-rowindex={index + 2}
              className={classes.row}
              style={{ gridTemplateColumns: template, transform: `translateY(${start}px)`, height: rowHeight }}
            >
              <span role="cell">
                <Switch
                  size="xs"
                  checked={isActive}
                  disabled={!mayChange || (toggle.isPending && toggle.variables?.id === object.Id)}
                  title={mayChange ? undefined : analystReason}
                  aria-label={`${nameOf(object)} is active`}
                  onChange={() => toggle.mutate({ id: object.Id, isActive: !isActive })}
                />
              </span>
              <span role="cell" className={classes.name}>
                <Link to="/$entity/$id" params={{ entity: entity.key, id: String(object.Id) }}>
                  {nameOf(object)}
                </Link>
                {!isActive && (
                  <Badge color="gray" variant="light" size="sm" ml="xs">
                    inactive
                  </Badge>
                )}
              </span>
              {columns.map((field) => (
                <span key={field.name} role="cell" className={classes.cell}>
                  {valueText(field, object[field.name])}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
