import { Button, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { HelpText } from '../parts/help-text.tsx';
import { ReasonLink } from '../parts/reason-link.tsx';
import { countText, moneyText } from '../parts/value-text.ts';
import { auctionsOf } from './auctions-of.ts';
import type { Loss } from './funnel.ts';
import type { FunnelSearch } from './funnel-search.ts';
import classes from './losses.module.css';
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
      <Table className={classes.table} aria-label="Reasons, by what they cost">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Reason</Table.Th>
            <Table.Th className={classes.figure}>Lost value</Table.Th>
            <Table.Th className={classes.figure}>Refusals</Table.Th>
            <Table.Th>What it means, and what changes it</Table.Th>
            <Table.Th>
              <span className="visually-hidden">Auctions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((loss) => (
            <LossRow key={`${loss.stage}${loss.reason}`} loss={loss} search={search} />
          ))}
        </Table.Tbody>
      </Table>
      {losses.length > shown.length && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => setAll(true)}>
          Show all {losses.length}
        </Button>
      )}
    </>
  );
}

function LossRow({ loss, search }: { readonly loss: Loss; readonly search: FunnelSearch }) {
  const { reason, help, stage, refusals, lostValue } = loss;
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.reason}>
        <ReasonLink name={reason} help={help} />
        <Text size="xs" c="dimmed" fw={400}>
          {stageTexts[stage]}
        </Text>
      </Table.Th>
      <Table.Td className={classes.figure} data-label="Lost value">
        {lostValue > 0 ? moneyText(lostValue) : '–'}
      </Table.Td>
      <Table.Td className={classes.figure} data-label="Refusals">
        {countText(refusals)}
      </Table.Td>
      <Table.Td className={classes.help}>
        <HelpText text={help} />
      </Table.Td>
      <Table.Td className={classes.auctions}>
        <Link to="/console/auctions" search={auctionsOf(search, loss)}>
          Auctions
        </Link>
      </Table.Td>
    </Table.Tr>
  );
}
