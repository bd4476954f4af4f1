import { Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ExplainedCandidate, HeldAuction } from '../../src/answers/explanation.ts';
import { entityOf } from '../field-tables.ts';
import { namedObject } from '../funnel/funnel-search.ts';
import { Outcome } from '../objects/why/outcome.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { reasonText } from '../parts/reason-text.ts';
import { useTimeZone } from '../parts/time-zone.ts';
import { timeText } from '../parts/zone-text.ts';
import { auctionsQuery } from './auctions.ts';
import type { AuctionsSearch } from './auctions-search.ts';
import classes from './held-auctions.module.css';

interface AuctionsProps {
  readonly search: AuctionsSearch;
  readonly onChoose: (auction: string) => void;
}

/** Why there may be none, and what one can do. */
function NoAuctions({ supply }: Pick<AuctionsSearch, 'supply'>) {
  const { entity, id } = namedObject(supply ?? '');
  return (
    <Text c="dimmed" maw={640}>
      There are none. Each thread of the server keeps the last 500 auctions since it started, at most five per
      second of a supply object.{' '}
      {supply !== undefined && (
        <Link to="/console/$entity/$id/why" params={{ entity, id: String(id) }}>
          Explain a request without waiting for one
        </Link>
      )}
    </Text>
  );
}

/** Auctions that were held, sampled, the newest first, and what became of the one that is chosen. */
export function HeldAuctions({ search, onChoose }: AuctionsProps) {
  const { data = [], error, isPending } = useQuery(auctionsQuery(search));
  if (error) return <ErrorNote error={error} />;
  if (!isPending && data.length === 0) return <NoAuctions supply={search.supply} />;
  const shown = data.find(({ AuctionId }) => AuctionId === search.auction) ?? data[0];
  const supply = shown && entityOf(shown.Entity);
  return (
    <div className={classes.layout}>
      <ol className={classes.list} aria-label="Auctions, newest first">
        {data.map((auction) => (
          <li key={auction.AuctionId}>
            <UnstyledButton
              className={classes.auction}
              aria-current={auction === shown ? 'true' : undefined}
              onClick={() => onChoose(auction.AuctionId)}
            >
              <Row auction={auction} hasName={search.supply === undefined} />
            </UnstyledButton>
          </li>
        ))}
      </ol>
      <Stack gap="md" className={classes.outcome} aria-live="polite">
        {shown && supply && <Outcome explanation={meantFirst(shown, search)} supply={supply} />}
      </Stack>
    </div>
  );
}

/** Those that the address asks for stand first. */
function meantFirst(auction: HeldAuction, { demand, reason }: AuctionsSearch): HeldAuction {
  const isMeant = ({ Entity, Id, Rule }: ExplainedCandidate) =>
    (demand === undefined || demand === `${Entity}:${Id}`) && (reason === undefined || Rule === reason);
  const rank = (one: ExplainedCandidate) => Number(!isMeant(one));
  return { ...auction, Candidates: auction.Candidates.toSorted((one, other) => rank(one) - rank(other)) };
}

function Row({ auction, hasName }: { readonly auction: HeldAuction; readonly hasName: boolean }) {
  const { TimeMs, Outcome: outcome, Domain, AppBundle, Country, Name, Id } = auction;
  const [zone] = useTimeZone();
  const about = [hasName ? Name || `ID ${Id}` : '', Domain || AppBundle, Country].filter(Boolean);
  return (
    <>
      <span className={classes.first}>
        <span>{timeText(TimeMs, zone, 'time')}</span>
        <span>{outcome === 'won' ? 'shown' : reasonText(outcome)}</span>
      </span>
      <Text size="xs" c="dimmed" truncate>
        <bdi>{about.join(' · ')}</bdi>
      </Text>
    </>
  );
}
