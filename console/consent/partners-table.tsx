import { Button, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import type { ConsentAnswer } from '../../src/answers/consent-reading.ts';
import { activityHelp, activityNames, activityTitles } from '../../src/reference/activities.ts';
import { entityOf } from '../field-tables.ts';
import { WithheldNotes } from '../objects/why/withheld-notes.tsx';
import { type DataColumn, DataTable } from '../parts/table/data-table.tsx';
import classes from './consent.module.css';

type Partner = ConsentAnswer['Partners'][number];
type Withholding = Partner['Withheld'][number];

const isSame = (one: Withholding, other: Withholding) => one.Wanted === other.Wanted && one.Met === other.Met;

/** What several partners have in common is said once. */
function withheldFromAll([first, ...others]: readonly Partner[]): readonly Withholding[] {
  if (!first || others.length === 0) return [];
  return first.Withheld.filter((one) =>
    others.every(({ Withheld }) => Withheld.some((other) => isSame(one, other))),
  );
}

/** Which partners may do what, and why not. */
export function PartnersTable({ partners }: { readonly partners: readonly Partner[] }) {
  const fromAll = withheldFromAll(partners);
  const isOwn = (one: Withholding) => !fromAll.some((other) => isSame(one, other));
  return (
    <section aria-label="What partners may do">
      <Title order={2} size="h4">
        What partners may do
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        By the vendor ID of each DSP object, else of its advertiser, and the settings of the team.
      </Text>
      {fromAll.length > 0 && (
        <div className={classes.common}>
          <Text size="sm" fw={500}>
            Withheld from all of them
          </Text>
          <WithheldNotes withheld={fromAll} />
        </div>
      )}
      {partners.length === 0 ? (
        <Text c="dimmed">The team has no DSP objects. Campaigns are your own ads: nobody else is told.</Text>
      ) : (
        <DataTable
          label="Partners"
          columns={columnsOf(isOwn)}
          rows={partners}
          keyOf={({ GvlId }) => GvlId}
          minWidth={560}
        />
      )}
    </section>
  );
}

/** `isOwn` tells what is withheld from one partner, but not from all. */
const columnsOf = (isOwn: (withholding: Withholding) => boolean): readonly DataColumn<Partner>[] => [
  {
    title: 'Partner',
    width: '16rem',
    cell: ({ GvlId, Objects: objects }) => (
      <>
        <Objects objects={objects} />
        <Text size="xs" c="dimmed">
          {GvlId === 0 ? 'no GvlId' : `Vendor ${GvlId}`}
        </Text>
      </>
    ),
  },
  ...activityNames.map(
    (name): DataColumn<Partner> => ({
      title: activityTitles[name],
      help: activityHelp[name],
      form: 'mark',
      cell: ({ Permitted }) =>
        Permitted.includes(name) ? (
          <Check size={16} role="img" aria-label="permitted" className={classes.permitted} />
        ) : (
          <X size={16} role="img" aria-label="withheld" className={classes.withheld} />
        ),
    }),
  ),
  {
    title: 'Why not',
    form: 'prose',
    cell({ Withheld }) {
      const own = Withheld.filter(isOwn);
      return own.length === 0 ? '–' : <WithheldNotes withheld={own} />;
    },
  },
];

const shownAtFirst = 3;

function Objects({ objects }: { readonly objects: Partner['Objects'] }) {
  const [isOpen, setOpen] = useState(false);
  const more = objects.length - shownAtFirst;
  return (
    <>
      {objects.slice(0, isOpen ? undefined : shownAtFirst).map(({ Entity, Id, Name }) => (
        <div key={`${Entity}${Id}`}>
          <Link to="/console/$entity/$id" params={{ entity: Entity, id: String(Id) }}>
            {Name || `${entityOf(Entity)?.title} ${Id}`}
          </Link>
        </div>
      ))}
      {more > 0 && !isOpen && (
        <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
          {more} more
        </Button>
      )}
    </>
  );
}
