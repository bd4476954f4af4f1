import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type {
  DealPrice,
  ExplainedCandidate,
  ExplainedDeal,
  Explanation,
  ShownForeignPrice,
} from '../../../src/answers/explanation.ts';
import { entityOf, type ShownEntity } from '../../field-tables.ts';
import { reasonText } from '../../parts/reason-text.ts';
import { moneyText } from '../../parts/value-text.ts';
import classes from './outcome.module.css';
import { RuleRefusalNote } from './rule-refusal-note.tsx';
import { WithheldNotes } from './withheld-notes.tsx';

const colors = { won: 'teal', fallback: 'cyan', asked: 'indigo', refused: 'gray' } as const;

/** What is shown of an explanation, a test or an auction that was held. */
export type Explained = Pick<Explanation, 'Outcome' | 'Candidates'> &
  Partial<Pick<Explanation, 'Refusals' | 'ForeignBidfloor' | 'Deals'>>;

const foreignText = ({ Currency, Cpm, Rate }: ShownForeignPrice) => `${Cpm} ${Currency} CPM at ${Rate}`;

function summaryOf({ Outcome, Candidates }: Explained): string {
  const count = (outcome: ExplainedCandidate['Outcome']) =>
    Candidates.filter((one) => one.Outcome === outcome).length;
  const parts = [
    `${Candidates.length} connected`,
    ...(['won', 'fallback', 'asked', 'refused'] as const).flatMap((outcome) =>
      count(outcome) ? [`${count(outcome)} ${outcome}`] : [],
    ),
  ];
  const verdict =
    { won: 'An ad is shown', open: 'Demand would be called' }[Outcome] ??
    `Nothing is shown: ${reasonText(Outcome)}`;
  return `${verdict}. ${parts.join(', ')}.`;
}

/** What becomes of a request, and of every demand object that is connected. */
export function Outcome({
  explanation,
  supply,
}: {
  readonly explanation: Explained;
  readonly supply: ShownEntity;
}) {
  const { Refusals = [], Candidates, ForeignBidfloor, Deals = [] } = explanation;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        The outcome
      </Title>
      <Text fw={500}>{summaryOf(explanation)}</Text>
      {ForeignBidfloor && <Text size="sm">Bidfloor: {foreignText(ForeignBidfloor)}</Text>}
      {Refusals.map((refusal) => (
        <RuleRefusalNote key={`${refusal.Rule}${refusal.Field}`} refusal={refusal} entity={supply} />
      ))}
      <ul className={classes.candidates}>
        {Candidates.map((candidate) => (
          <CandidateRow key={`${candidate.Entity}${candidate.Id}`} candidate={candidate} />
        ))}
      </ul>
      {Deals.length > 0 && (
        <>
          <Title order={2} size="h4">
            Deals
          </Title>
          <ul className={classes.candidates}>
            {Deals.map((deal) => (
              <DealRow key={deal.Id} deal={deal} />
            ))}
          </ul>
        </>
      )}
    </Stack>
  );
}

function DealRow({ deal: { Id, Code, Name, Outcome: outcome, Refusals } }: { readonly deal: ExplainedDeal }) {
  const entity = entityOf('Deal');
  return (
    <li className={classes.candidate}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="xs" miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Link to="/console/$entity/$id" params={{ entity: 'Deal', id: String(Id) }}>
            {Name || Code}
          </Link>
          <Text size="xs" c="dimmed">
            Deal {Code}
          </Text>
        </Group>
        <Badge variant="light" color={outcome === 'offered' ? 'teal' : 'gray'} miw="max-content">
          {outcome}
        </Badge>
      </Group>
      {entity &&
        Refusals.map((refusal) => (
          <RuleRefusalNote
            key={`${refusal.Rule}${refusal.Field}`}
            refusal={refusal}
            entity={entity}
            id={Id}
          />
        ))}
    </li>
  );
}

function dealText({ Code, Publisher, CurationFee }: DealPrice): string {
  if (Publisher === null || CurationFee === null) return `Deal ${Code}`;
  return `Deal ${Code}: the publisher gets ${moneyText(Publisher)} CPM, the curation fee is ${moneyText(CurationFee)} CPM`;
}

/** The deals that it was offered, with their prices. */
function offersText({ Deals }: ExplainedCandidate): string {
  const offers = Deals.map(({ Code, Bidfloor, ForeignBidfloor }) => {
    const price = ForeignBidfloor ? foreignText(ForeignBidfloor) : `${moneyText(Bidfloor)} CPM`;
    return `${Code} from ${price}`;
  });
  return offers.length > 0 ? `Offered deals: ${offers.join(', ')}` : '';
}

/** Where media or bids compete; one bid's price is shown anyway. */
function mediaText({ Media, Bids }: ExplainedCandidate): string {
  const asked = Media.length > 1 ? [`Asked for ${Media.join(', ')}`] : [];
  const isSeveral = Media.length > 1 || Bids.length > 1;
  const bids = (isSeveral ? Bids : []).map(({ Medium, Price, Rule }) => {
    const price = Price === null ? 'no price' : moneyText(Price);
    return `${Medium} ${price}${Rule && ` (${reasonText(Rule)})`}`.trim();
  });
  return [...asked, ...(bids.length > 0 ? [`Bids: ${bids.join('; ')}`] : [])].join('. ');
}

function CandidateRow({ candidate }: { readonly candidate: ExplainedCandidate }) {
  const {
    Entity,
    Id,
    Name,
    Outcome: outcome,
    Price,
    ForeignPrice,
    Deal,
    Pod,
    Refusals,
    Withheld,
    IsMatched,
    DroppedElements,
  } = candidate;
  const entity = entityOf(Entity);
  const [media, offers] = [mediaText(candidate), offersText(candidate)];
  // Its refusal says why, and it is told nothing.
  const mayNotBid = Withheld.some(({ Activities }) => Activities.includes('bid'));
  return (
    <li className={classes.candidate}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="xs" miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Link to="/console/$entity/$id" params={{ entity: Entity, id: String(Id) }}>
            {Name || `ID ${Id}`}
          </Link>
          <Text size="xs" c="dimmed">
            {entity?.title} {Id}
          </Text>
        </Group>
        <Group gap="xs" wrap="nowrap">
          {Price !== null && <Text size="sm">{moneyText(Price)} CPM</Text>}
          {ForeignPrice && (
            <Text size="xs" c="dimmed">
              {foreignText(ForeignPrice)}
            </Text>
          )}
          <Badge variant="light" color={colors[outcome]} miw="max-content">
            {outcome}
          </Badge>
        </Group>
      </Group>
      {Pod.length > 0 && (
        <Text size="sm">
          Place in the pod:{' '}
          {Pod.map(
            ({ Place, Price: paid, Deal: own }) =>
              `${Place} for ${moneyText(paid)} CPM${own ? ` (${dealText(own)})` : ''}`,
          ).join(', ')}
        </Text>
      )}
      {Deal && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {dealText(Deal)}
        </Text>
      )}
      {media && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {media}
        </Text>
      )}
      {offers && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {offers}
        </Text>
      )}
      {IsMatched === 1 && (
        <Text size="sm" c="dimmed">
          Knows the viewer, and is told its own ID
        </Text>
      )}
      {DroppedElements.length > 0 && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Dropped from its VAST, because browsers would run or render it: {DroppedElements.join(', ')}
        </Text>
      )}
      {entity &&
        Refusals.map((refusal) => (
          <RuleRefusalNote
            key={`${refusal.Rule}${refusal.Field}`}
            refusal={refusal}
            entity={entity}
            id={Id}
          />
        ))}
      {!mayNotBid && <WithheldNotes withheld={Withheld} hasGuide />}
    </li>
  );
}
