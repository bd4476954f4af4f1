import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { type Candidate, connectedQuery } from '../../api/connected.ts';
import type { ShownEntity, ShownField } from '../../field-tables.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { pluralOf } from '../../parts/object-name.ts';
import { useShownObject } from '../object-context.ts';
import { RuleRefusalNote } from '../why/rule-refusal-note.tsx';
import classes from './connections-tab.module.css';

interface CandidatesProps {
  readonly other: ShownEntity;
  readonly field: ShownField;
  /** IDs that are connected in the form already. */
  readonly chosen: readonly number[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onChoose: (candidate: Candidate) => void;
}

const pauseMs = 200;

/** Finds objects to connect, however many there are, and says which pairs could never match. */
export function Candidates(props: CandidatesProps) {
  const { other, isOpen, onClose } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Connect ${pluralOf(other)}`} size="lg">
      {isOpen && <FoundCandidates {...props} />}
    </Modal>
  );
}

function FoundCandidates({ other, field, chosen, onChoose }: CandidatesProps) {
  const { entity, object } = useShownObject();
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query, pauseMs);
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    connectedQuery(entity, { id: object.Id, field: field.name, query: asked, isConnected: false }),
  );
  const free = data?.pages.flatMap(({ rows }) => rows).filter(({ Id }) => !chosen.includes(Id)) ?? [];
  return (
    <Stack>
      <TextInput
        aria-label={`Find ${pluralOf(other)}`}
        placeholder="Name or ID"
        leftSection={<Search size={16} />}
        data-autofocus
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      {error && <ErrorNote error={error} />}
      {!isPending && free.length === 0 && <Text c="dimmed">No others match.</Text>}
      <ul className={classes.list}>
        {free.map((candidate) => (
          <li key={candidate.Id} className={classes.item}>
            <div className={classes.name}>
              <Text size="sm">
                {candidate.Name || `ID ${candidate.Id}`}{' '}
                <Text span size="xs" c="dimmed">
                  {[candidate.Id, candidate.Status === 1 ? 'inactive' : ''].filter(Boolean).join(' · ')}
                </Text>
              </Text>
              {candidate.NeverMatches.map((refusal) => (
                <RuleRefusalNote
                  key={refusal.Rule + refusal.Field}
                  refusal={refusal}
                  entity={other}
                  id={candidate.Id}
                />
              ))}
            </div>
            <Button size="compact-xs" variant="default" onClick={() => onChoose(candidate)}>
              Connect<span className="visually-hidden"> {candidate.Name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Group justify="center">
          <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}
