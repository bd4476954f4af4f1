import { Text, Title } from '@mantine/core';
import { type ReadSignal, signalFaults } from '../../src/answers/consent-reading.ts';
import { tcfPurposes } from '../../src/reference/tcf-purposes.ts';
import { Moment } from '../parts/moment.tsx';
import { reasonText } from '../parts/reason-text.ts';
import { type DataColumn, DataTable } from '../parts/table/data-table.tsx';
import { type Fact, Facts } from '../settings/facts.tsx';

/** What one string says, or a section of one. */
export function SignalSection({
  signal: { Name, Section, Fault, Tcf, Choices },
}: {
  readonly signal: ReadSignal;
}) {
  const title = [Name, Section > 0 ? `section ${Section}` : ''].filter(Boolean).join(', ');
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      {Fault !== '' && (
        <Text size="sm" c="red">
          Cannot be read: {signalFaults[Fault]}.
        </Text>
      )}
      {Tcf && <Facts facts={tcfFacts(Tcf)} />}
      {Tcf && <Purposes tcf={Tcf} />}
      {Choices && <Facts facts={choiceFacts(Choices)} />}
    </div>
  );
}

type Tcf = NonNullable<ReadSignal['Tcf']>;
type Choices = NonNullable<ReadSignal['Choices']>;

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

function tcfFacts(tcf: Tcf): readonly Fact[] {
  const { PolicyVersion, VendorListVersion, SpecialFeatures, PublisherCountry } = tcf;
  const treatment = tcf.HasPurposeOneTreatment === 1 ? ['purpose 1 was not shown'] : [];
  const country = PublisherCountry === '' ? [] : [PublisherCountry];
  return [
    {
      name: 'Made for',
      value: `policy version ${PolicyVersion}, vendor list version ${VendorListVersion}`,
      ...(tcf.IsVendorListKnown === 0 && { help: 'This list is not known here: only consent counts' }),
    },
    { name: 'Made by', value: `CMP ${tcf.CmpId}, version ${tcf.CmpVersion}` },
    {
      name: 'Created',
      value: (
        <>
          <Moment time={tcf.CreatedMs} form="day" />, updated <Moment time={tcf.UpdatedMs} form="day" />
        </>
      ),
    },
    {
      name: 'Publisher',
      value: [...country, ...treatment, counted(tcf.PublisherRestrictions, 'restriction')].join(', '),
    },
    { name: 'Special features', value: SpecialFeatures.map(featureText).join(', ') || 'none' },
    {
      name: 'Disclosed vendors',
      value: tcf.HasDisclosedVendors === 1 ? 'named' : 'not named, as before TCF 2.3',
    },
  ];
}

const featureText = (id: number) => (id === 1 ? '1 (exact place)' : String(id));

const choiceFacts = ({ OptOuts, IsKnownChild, HasGpc }: Choices): readonly Fact[] => [
  { name: 'Opted out of', value: OptOuts.map(reasonText).join(', ') || 'nothing' },
  { name: 'Known child', value: IsKnownChild === 1 ? 'yes' : 'no' },
  { name: 'Global Privacy Control', value: HasGpc === 1 ? 'on' : 'not said' },
];

const purposeNames = new Map(Object.entries(tcfPurposes).map(([id, name]) => [Number(id), name as string]));

const purposeColumns = ({
  PurposeConsents,
  PurposeLegitimateInterests,
}: Tcf): readonly DataColumn<number>[] => [
  { title: 'Purpose', cell: (id) => `${id} ${purposeNames.get(id) ?? ''}` },
  { title: 'Consent', cell: (id) => (PurposeConsents.includes(id) ? 'yes' : '–') },
  {
    title: 'Legitimate interest',
    cell: (id) => (PurposeLegitimateInterests.includes(id) ? 'yes' : '–'),
  },
];

function Purposes({ tcf }: { readonly tcf: Tcf }) {
  const { PurposeConsents, PurposeLegitimateInterests } = tcf;
  const shown = new Set([...purposeNames.keys(), ...PurposeConsents, ...PurposeLegitimateInterests]);
  return (
    <DataTable
      label="Purposes"
      columns={purposeColumns(tcf)}
      rows={[...shown]}
      keyOf={(id) => id}
      minWidth={320}
      maxWidth={640}
    />
  );
}
