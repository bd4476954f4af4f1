import { Button, Group, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import type { Health } from '../../src/answers/object-health.ts';
import { objectName } from '../funnel/funnel-search.ts';
import { lackText } from '../parts/lacks.tsx';
import { Moment } from '../parts/moment.tsx';
import { reasonText } from '../parts/reason-text.ts';
import { countText } from '../parts/value-text.ts';
import { columnsOf } from './figures.ts';
import classes from './health.module.css';
import type { HealthRow } from './health.ts';
import { HealthDetail } from './health-detail.tsx';
import { HealthFigure } from './health-figure.tsx';
import { HealthFigures } from './health-figures.tsx';
import { StateBadge } from './state-badge.tsx';

interface TableProps {
  readonly side: keyof typeof columnsOf;
  readonly known: readonly HealthRow[];
  /** How many there are, loaded or not. */
  readonly total: number;
  /** Loads the next ones; absent where there are no more. */
  readonly onMore: (() => void) | undefined;
  /** The object whose row is open, as `DspRtbEp:1`. */
  readonly open: string | undefined;
  readonly onOpen: (open: string | undefined) => void;
}

/** Objects with their figures; a row opens to what is known beside them. */
export function HealthTable({ side, known, total, onMore, open, onOpen }: TableProps) {
  const columns = columnsOf[side];
  return (
    <div className={classes.box}>
      <Table className={classes.table} aria-label="Health">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Object</Table.Th>
            <Table.Th>State</Table.Th>
            {columns.map(({ title, help, isWide, isText }) => (
              <Table.Th
                key={title}
                title={help}
                className={`${isText ? '' : classes.figure} ${isWide ? classes.wide : ''}`}
              >
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {known.map((one) => {
            const name = objectName({ entity: one.entity.key, id: one.health.Id });
            return (
              <Row
                key={name}
                known={one}
                side={side}
                isOpen={open === name}
                onOpen={() => onOpen(open === name ? undefined : name)}
              />
            );
          })}
        </Table.Tbody>
      </Table>
      {onMore && (
        <Button variant="subtle" size="xs" mt="xs" onClick={onMore}>
          Show more of {countText(total)}
        </Button>
      )}
    </div>
  );
}

/** Why an object is as it is, in a line. */
function Why({ health: { State, Missing, Paused, Reasons } }: { readonly health: Health }) {
  const [lack] = Missing;
  if (State === 'not_ready' && lack) return lackText(lack);
  if (Paused)
    return (
      <>
        {reasonText(Paused.Reason)}, until <Moment time={Paused.Until} form="time" />
      </>
    );
  return Reasons.map(({ Reason }) => reasonText(Reason)).join(', ');
}

interface RowProps {
  readonly known: HealthRow;
  readonly side: TableProps['side'];
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Row({ known: { entity, health }, side, isOpen, onOpen }: RowProps) {
  const columns = columnsOf[side];
  const Icon = isOpen ? ChevronDown : ChevronRight;
  const name = health.Name || `ID ${health.Id}`;
  return (
    <Fragment>
      <Table.Tr>
        <Table.Th scope="row" className={classes.name}>
          <Group gap={6} wrap="nowrap" align="flex-start">
            <button
              type="button"
              className={classes.open}
              aria-expanded={isOpen}
              aria-label={`Details of ${name}`}
              onClick={onOpen}
            >
              <Icon size={18} aria-hidden />
            </button>
            <div>
              <Link to="/console/$entity/$id/health" params={{ entity: entity.key, id: String(health.Id) }}>
                {name}
              </Link>
              <Text size="xs" c="dimmed" fw={400}>
                {entity.title} {health.Id}
              </Text>
            </div>
          </Group>
        </Table.Th>
        <Table.Td>
          <StateBadge state={health.State} />
          <Text size="xs" c="dimmed">
            <Why health={health} />
          </Text>
        </Table.Td>
        {columns.map(({ title, cell, isTrouble, isWide, isText }) => {
          const isBad = isTrouble?.(health) === true;
          const own = [
            isText ? '' : classes.figure,
            isWide ? classes.wide : '',
            isBad ? classes.trouble : '',
          ];
          return (
            <Table.Td key={title} className={own.join(' ')}>
              {isBad && <span aria-hidden>! </span>}
              <HealthFigure cell={cell(health)} />
            </Table.Td>
          );
        })}
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={columns.length + 2}>
            <div className={classes.detail}>
              <div className={classes.narrow}>
                <HealthFigures side={side} health={health} />
              </div>
              <HealthDetail entity={entity} health={health} />
            </div>
          </Table.Td>
        </Table.Tr>
      )}
    </Fragment>
  );
}
