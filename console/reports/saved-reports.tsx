import { Button, Menu, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import {
  changeRequest,
  type Operation,
  objectQuery,
  objectsQuery,
  type Stored,
  sendObject,
  type Values,
} from '../api/objects.ts';
import { entityOf, type ShownEntity } from '../field-tables.ts';
import { ActionModal } from '../parts/action-modal.tsx';
import { errorBeside, faultAt } from '../parts/faults.ts';
import { isActive, objectName } from '../parts/object-name.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { announce } from '../shell/announcements.ts';
import type { AskedQuestion } from './question.ts';
import { reportKey } from './report-key.ts';
import type { ReportSearch } from './report-search.ts';
import { differs, savedValuesOf, searchOf } from './saved-report.ts';

export function reportEntity(): ShownEntity {
  const entity = entityOf(reportKey);
  if (!entity) throw new Error(`there is no entity ${reportKey}`);
  return entity;
}

/** The saved report that an address names; undefined where it names none, or none that there is. */
export function useSavedReport(id: number | undefined): Stored | undefined {
  const { data } = useQuery({ ...objectQuery(reportEntity(), id ?? 0), enabled: id !== undefined });
  return id === undefined ? undefined : data?.object;
}

export function useSaving(operation: Operation) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (values: Values) => sendObject(reportEntity(), operation, values),
    onSuccess: async ({ object }) => {
      announce(`${objectName(object)} is saved`);
      await client.invalidateQueries({ queryKey: ['objects', reportKey] });
      await client.invalidateQueries({ queryKey: ['object', reportKey, object.Id] });
    },
  });
}

interface SavedProps {
  readonly search: ReportSearch;
  readonly asked: AskedQuestion;
  readonly saved: Stored | undefined;
}

/** Keeps what is shown, and brings back what was kept. */
export function SavedReports({ search, asked, saved }: SavedProps) {
  const reason = mayChange(useAccount()) ? undefined : analystReason;
  const [isNaming, { open, close }] = useDisclosure();
  const update = useSaving('update');
  const kept = savedValuesOf(search, asked);
  const isChanged = saved !== undefined && differs(saved, kept);
  return (
    <>
      <SavedMenu />
      {isChanged && (
        <Button
          variant="default"
          visibleFrom="sm"
          loading={update.isPending}
          disabled={reason !== undefined}
          title={reason ?? update.error?.message}
          color={update.error ? 'red' : undefined}
          onClick={() => update.mutate({ Id: saved.Id, ...kept })}
        >
          Save
        </Button>
      )}
      <Button
        variant="default"
        visibleFrom="sm"
        disabled={reason !== undefined}
        title={reason}
        onClick={open}
      >
        {saved ? 'Save as…' : 'Save…'}
      </Button>
      {isNaming && <NameReport search={search} kept={kept} onClose={close} />}
    </>
  );
}

function SavedMenu() {
  const { data = [] } = useQuery(objectsQuery(reportEntity(), { fields: [...keptFields], sort: 'Name' }));
  const active = data.filter(isActive);
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" leftSection={<Bookmark size={16} />}>
          Saved
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {active.length === 0 && <Menu.Label>None yet: save the present view under a name.</Menu.Label>}
        {active.slice(0, shownMax).map((report) => (
          <Menu.Item
            key={report.Id}
            renderRoot={(props) => <Link to="/console/reports" search={searchOf(report)} {...props} />}
          >
            <bdi>{objectName(report)}</bdi>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          renderRoot={(props) => <Link to="/console/$entity" params={{ entity: reportKey }} {...props} />}
        >
          All saved reports
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const shownMax = 20;
const keptFields = [
  'Period',
  'From',
  'To',
  'TimeZone',
  'GroupBy',
  'Measures',
  'Filters',
  'OrderBy',
  'Limit',
  'CompareTo',
  'Chart',
  'PivotBy',
];

interface NameProps {
  readonly search: ReportSearch;
  readonly kept: Values;
  readonly onClose: () => void;
}

function NameReport({ search, kept, onClose }: NameProps) {
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const adding = useSaving('add');
  const values = { Name: name, ...kept };
  const save = async () => {
    const { object } = await adding.mutateAsync(values);
    onClose();
    await navigate({ to: '/console/reports', search: { ...search, saved: object.Id } });
  };
  return (
    <ActionModal
      title="Save this report"
      isOpen
      onClose={onClose}
      actionText="Save"
      request={changeRequest(reportEntity(), 'add', values)}
      isPending={adding.isPending}
      error={errorBeside(adding.error, ['Report.Name'])}
      onSubmit={() => void save().catch(() => undefined)}
    >
      <TextInput
        label="Name"
        description="Your team sees it too"
        required
        data-autofocus
        value={name}
        error={faultAt(adding.error, 'Report.Name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </ActionModal>
  );
}
