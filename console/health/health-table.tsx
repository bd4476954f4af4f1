import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { objectName } from '../funnel/funnel-search.ts';
import { type DataColumn, DataTable } from '../parts/table/data-table.tsx';
import { countText } from '../parts/value-text.ts';
import { columnsOf } from './figures.ts';
import classes from './health.module.css';
import type { HealthRow } from './health.ts';
import { HealthDetail } from './health-detail.tsx';
import { HealthFigure } from './health-figure.tsx';
import { StateBadge } from './state-badge.tsx';
import { Why } from './why.tsx';

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

const nameOf = ({ entity, health }: HealthRow) => objectName({ entity: entity.key, id: health.Id });

/** Objects with their figures; a row opens to what is known beside them. */
export function HealthTable({ side, known, total, onMore, open, onOpen }: TableProps) {
  const isOpen = (one: HealthRow) => open === nameOf(one);
  const columns: readonly DataColumn<HealthRow>[] = [
    {
      title: 'Object',
      width: '14rem',
      cell: (one) => (
        <Opener
          known={one}
          isOpen={isOpen(one)}
          onOpen={() => onOpen(isOpen(one) ? undefined : nameOf(one))}
        />
      ),
    },
    {
      title: 'State',
      cell: ({ health }) => (
        <>
          <StateBadge state={health.State} />
          <Text size="xs" c="dimmed">
            <Why health={health} />
          </Text>
        </>
      ),
    },
    ...columnsOf[side].map(
      ({ title, help, cell, isTrouble, isText }): DataColumn<HealthRow> => ({
        title,
        help,
        ...(!isText && { form: 'figure' }),
        cell: ({ health }) => (
          <span className={isTrouble?.(health) ? classes.trouble : undefined}>
            {isTrouble?.(health) && <span aria-hidden>! </span>}
            <HealthFigure cell={cell(health)} />
          </span>
        ),
      }),
    ),
  ];
  return (
    <>
      <DataTable
        label="Health"
        columns={columns}
        rows={known}
        keyOf={nameOf}
        minWidth={980}
        detailOf={(one) =>
          isOpen(one) && (
            <div className={classes.detail}>
              <HealthDetail entity={one.entity} health={one.health} />
            </div>
          )
        }
      />
      {onMore && (
        <Button variant="subtle" size="xs" mt="xs" onClick={onMore}>
          Show more of {countText(total)}
        </Button>
      )}
    </>
  );
}

interface OpenerProps {
  readonly known: HealthRow;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Opener({ known: { entity, health }, isOpen, onOpen }: OpenerProps) {
  const Icon = isOpen ? ChevronDown : ChevronRight;
  const name = health.Name || `ID ${health.Id}`;
  return (
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
  );
}
