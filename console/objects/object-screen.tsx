import { Badge, Button, Group, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { Copy, Funnel } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { alertKey } from '../alerts/alert-key.ts';
import { CallError } from '../api/call.ts';
import { changeRequest, objectQuery, objectRequest, type Stored } from '../api/objects.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { entityOf, type ShownEntity } from '../field-tables.ts';
import { funnelOf } from '../funnel/funnel-search.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { CurrencyContext } from '../parts/field-value.tsx';
import { NotFound } from '../parts/not-found.tsx';
import { isActive, objectName, ownerNameOf, pluralOf } from '../parts/object-name.ts';
import { TabLinks } from '../parts/tab-links.tsx';
import { reportKey } from '../reports/report-key.ts';
import { searchOf } from '../reports/saved-report.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { dealKey } from './deal/deal-key.ts';
import { ObjectContext } from './object-context.ts';
import { useSwitching } from './use-switching.tsx';

const TagBar = lazy(async () => ({ default: (await import('./tag/tag-bar.tsx')).TagBar }));

const tabs = [
  { path: 'account', title: 'Overview', sides: ['account'] },
  { path: 'lines', title: 'Lines', sides: ['list'] },
  { path: '', title: 'Settings' },
  { path: 'tag', title: 'Integration', sides: ['supply'] },
  { path: 'connections', title: 'Connections', sides: ['supply', 'demand'] },
  { path: 'used', title: 'Used by', sides: ['list'] },
  { path: 'why', title: 'Why no ad?', sides: ['supply', 'deal'] },
  { path: 'test', title: 'Test', sides: ['supply'] },
  { path: 'statistics', title: 'Statistics', sides: ['supply', 'demand', 'account'] },
  { path: 'pace', title: 'Pace', sides: ['demand', 'deal'] },
  { path: 'health', title: 'Health', sides: ['supply', 'demand'] },
  { path: 'floors', title: 'Floors', sides: ['supply'] },
  { path: 'results', title: 'Results', sides: ['floor'] },
  { path: 'log', title: 'Found', kinds: [alertKey] },
  { path: 'buyer', title: 'Buyer', kinds: [dealKey] },
  { path: 'sendings', title: 'Sendings', kinds: [reportKey, alertKey] },
  { path: 'history', title: 'History' },
] as const;

/** An object: what it is, its switch, and a tab for each thing that is done with it. */
export function ObjectScreen() {
  const { entity: key, id } = useParams({ from: '/console/$entity/$id' });
  const entity = entityOf(key);
  return entity && /^\d+$/.test(id) ? (
    <KnownObject key={`${key}${id}`} entity={entity} id={Number(id)} />
  ) : (
    <NotFound />
  );
}

function KnownObject({ entity, id }: { readonly entity: ShownEntity; readonly id: number }) {
  const { data, error } = useQuery(objectQuery(entity, id));
  if (error instanceof CallError && error.status === 406) return <NotFound />;
  if (error && !data) return <ErrorNote error={error} />;
  if (!data) return <Skeleton h={300} />;
  return (
    <Stack gap="md">
      <ObjectHead entity={entity} object={data.object} />
      <ObjectTabs entity={entity} id={id} />
      <ObjectContext value={{ entity, ...data }}>
        <CurrencyContext value={data.object.Currency ?? ''}>
          <Outlet />
        </CurrencyContext>
      </ObjectContext>
    </Stack>
  );
}

function ObjectHead({ entity, object }: { readonly entity: ShownEntity; readonly object: Stored }) {
  const switching = useSwitching(entity);
  const may = mayChange(useAccount());
  const [isOn, owner] = [isActive(object), ownerNameOf(entity, object)];
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        <Link to="/console/$entity" params={{ entity: entity.key }}>
          {pluralOf(entity)}
        </Link>
        {` / ${object.Id}`}
      </Text>
      <Group justify="space-between" align="center">
        <Group gap="sm" align="center">
          <Title order={1} size="h3">
            {objectName(object)}
          </Title>
          <Badge color={isOn ? 'teal' : 'gray'} variant="light">
            {isOn ? 'active' : 'inactive'}
          </Badge>
          {owner && entity.owner && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              of{' '}
              <Link
                to="/console/$entity/$id/account"
                params={{ entity: entity.owner.entity, id: String(object[entity.owner.field]) }}
              >
                {owner}
              </Link>
            </Text>
          )}
        </Group>
        <Group gap="sm">
          <Elsewhere entity={entity} object={object} />
          <Switch
            label={isOn ? 'On' : 'Off'}
            checked={isOn}
            disabled={!may || switching.pendingId === object.Id}
            title={may ? undefined : analystReason}
            onChange={() => switching.change(object)}
          />
          {switching.question}
          <ApiCall
            calls={{
              Fetch: objectRequest(entity, object.Id),
              [isOn ? 'Deactivate' : 'Activate']: changeRequest(entity, isOn ? 'deactivate' : 'activate', {
                Id: object.Id,
              }),
            }}
          />
          <Button
            variant="default"
            leftSection={<Copy size={16} />}
            disabled={!may}
            title={may ? undefined : analystReason}
            renderRoot={(props) => (
              <Link
                to="/console/$entity/new"
                params={{ entity: entity.key }}
                search={{ copy: object.Id }}
                {...props}
              />
            )}
          >
            Duplicate
          </Button>
        </Group>
      </Group>
      {entity.side === 'supply' && (
        <Suspense fallback={<Skeleton h={30} maw={860} />}>
          <TagBar entity={entity} object={object} />
        </Suspense>
      )}
    </Stack>
  );
}

/** What is worked with on another screen: a saved report's answer, the funnel of supply and demand. */
function Elsewhere({ entity, object }: { readonly entity: ShownEntity; readonly object: Stored }) {
  if (entity.key === reportKey) return <ShowReport report={object} />;
  const isServed = entity.side === 'supply' || entity.side === 'demand';
  return isServed ? <ShowFunnel entity={entity.key} id={object.Id} /> : null;
}

function ShowFunnel({ entity, id }: { readonly entity: string; readonly id: number }) {
  return (
    <Button
      variant="default"
      leftSection={<Funnel size={16} />}
      renderRoot={(props) => <Link to="/console/funnel" search={funnelOf(entity, id)} {...props} />}
    >
      Funnel
    </Button>
  );
}

function ShowReport({ report }: { readonly report: Stored }) {
  return (
    <Button renderRoot={(props) => <Link to="/console/reports" search={searchOf(report)} {...props} />}>
      Show the report
    </Button>
  );
}

function ObjectTabs({ entity, id }: { readonly entity: ShownEntity; readonly id: number }) {
  const base = `/console/${entity.key}/${id}`;
  const shown = tabs.filter((tab) => {
    if ('kinds' in tab) return tab.kinds.some((kind) => kind === entity.key);
    return !('sides' in tab) || tab.sides.some((side) => side === entity.side);
  });
  return (
    <TabLinks
      label="Parts of the object"
      tabs={shown.map(({ path, title }) => ({ title, to: path ? `${base}/${path}` : base }))}
    />
  );
}
