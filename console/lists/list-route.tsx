import { Navigate, useParams, useSearch } from '@tanstack/react-router';
import { alertKey } from '../alerts/alert-key.ts';
import { entityOf } from '../field-tables.ts';
import { NotFound } from '../parts/not-found.tsx';
import { ListScreen } from './list-screen.tsx';

/** All objects of the entity that the address names. */
export function ListRoute() {
  const { entity: key } = useParams({ from: '/console/$entity' });
  const search = useSearch({ from: '/console/$entity' });
  const entity = entityOf(key);
  // Alerts have a list of their own.
  if (key === alertKey) return <Navigate to="/console/alerts" replace />;
  return entity ? <ListScreen key={key} entity={entity} search={search} /> : <NotFound />;
}
