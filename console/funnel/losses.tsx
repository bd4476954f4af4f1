import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { HelpText } from '../parts/help-text.tsx';
import { ReasonLink } from '../parts/reason-link.tsx';
import { type DataColumn, DataTable } from '../parts/table/data-table.tsx';
import { countText, moneyText } from '../parts/value-text.ts';
import { auctionsOf } from './auctions-of.ts';
import type { Loss } from './funnel.ts';
import type { FunnelSearch } from './funnel-search.ts';
import { stageTexts } from './stage-texts.ts';

interface LossesProps {
  readonly losses: readonly Loss[];
  readonly search: FunnelSearch;
}

const shownAtFirst = 12;

/** Reasons with what each cost, what it means and what changes it, and auctions in which it refused. */
export function Losses({ losses, search }: LossesProps) {
  const [isAll, setAll] = useState(false);
  if (losses.length === 0) return <Text c="dimmed">Nothing was refused.</Text>;
  const shown = isAll ? losses : losses.slice(0, shownAtFirst);
  return (
    <>
      <DataTable
        label="Reasons, by what they cost"
        columns={columnsOf(search)}
        rows={shown}
        keyOf={({ stage, reason }) => `${stage}${reason}`}
        minWidth={680}
      />
      {losses.length > shown.length && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => setAll(true)}>
          Show all {losses.length}
        </Button>
      )}
    </>
  );
}

const columnsOf = (search: FunnelSearch): readonly DataColumn<Loss>[] => [
  {
    title: 'Reason',
    width: '15rem',
    cell: ({ reason, help, stage }) => (
      <>
        <Text span inherit fw={600}>
          <ReasonLink name={reason} help={help} />
        </Text>
        <Text size="xs" c="dimmed" fw={400}>
          {stageTexts[stage]}
        </Text>
      </>
    ),
  },
  {
    title: 'Lost value',
    form: 'figure',
    cell: ({ lostValue }) => (lostValue > 0 ? moneyText(lostValue) : '–'),
  },
  { title: 'Refusals', form: 'figure', cell: ({ refusals }) => countText(refusals) },
  {
    title: 'What it means, and what changes it',
    form: 'prose',
    cell: ({ help }) => <HelpText text={help} />,
  },
  {
    title: 'Auctions',
    isHeard: true,
    cell: (loss) => (
      <Link to="/console/auctions" search={auctionsOf(search, loss)}>
        Auctions
      </Link>
    ),
  },
];
