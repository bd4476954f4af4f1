import { ActionIcon, Button, Group, Menu, Modal, TextInput } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Bookmark, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { ShownEntity } from '../field-tables.ts';
import type { ListSearch } from './list-search.ts';

/** A list as somebody likes to see it: what its address says, and its columns. */
interface View {
  readonly name: string;
  readonly search: ListSearch;
  readonly columns: readonly string[];
}

interface ViewsProps {
  readonly entity: ShownEntity;
  readonly search: ListSearch;
  readonly columns: readonly string[];
  readonly onColumns: (columns: readonly string[]) => void;
}

/** Keeps what a list shows under a name, in this browser, and brings it back. */
export function Views({ entity, search, columns, onColumns }: ViewsProps) {
  const [views, setViews] = useLocalStorage<readonly View[]>({
    key: `bourse-views-${entity.key}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const [isNaming, { open, close }] = useDisclosure();
  const navigate = useNavigate();
  const save = (name: string) => {
    setViews([...views.filter((view) => view.name !== name), { name, search, columns }]);
    close();
  };
  const show = (view: View) => {
    onColumns(view.columns);
    void navigate({ to: '.', search: view.search });
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Bookmark size={16} />} visibleFrom="sm">
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((view) => (
            <Group key={view.name} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => show(view)}>{view.name}</Menu.Item>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Delete ${view.name}`}
                onClick={() => setViews(views.filter((other) => other !== view))}
              >
                <Trash2 size={14} />
              </ActionIcon>
            </Group>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={open}>Save this view…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isNaming} onClose={close} title="Save this view">
        <NameForm onName={save} />
      </Modal>
    </>
  );
}

function NameForm({ onName }: { readonly onName: (name: string) => void }) {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onName(name);
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Name"
        description="Search, filters, order and columns are kept in this browser"
        required
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Group justify="flex-end" mt="md">
        <Button type="submit">Save</Button>
      </Group>
    </form>
  );
}
