import { Skeleton } from '@mantine/core';
import { Navigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { alertKey } from '../alerts/alert-key.ts';
import { entityOf } from '../field-tables.ts';
import { NotFound } from '../parts/not-found.tsx';
import { ListScreen } from './list-screen.tsx';

const FloorTableScreen = lazy(async () => ({
  default: (await import('../floor-table/floor-table-screen.tsx')).FloorTableScreen,
}));

/** All objects of the entity that the address names. */
export function ListRoute() {
  const { entity: key } = useParams({ from: '/console/$entity' });
  const search = useSearch({ from: '/console/$entity' });
  const entity = entityOf(key);
  // Alerts have a list of their own.
  if (key === alertKey) return <Navigate to="/console/alerts" replace />;
  if (entity?.side === 'floor' && search.table)
    return (
      <Suspense fallback={<Skeleton h={300} />}>
        <FloorTableScreen entity={entity} shown={search.table} />
      </Suspense>
    );
  return entity ? <ListScreen key={key} entity={entity} search={search} /> : <NotFound />;
}
