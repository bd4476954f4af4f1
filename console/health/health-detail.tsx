import { Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Health } from '../../src/answers/object-health.ts';
import type { ShownEntity } from '../field-tables.ts';
import { fieldOf } from '../fields.ts';
import { funnelOf, objectName } from '../funnel/funnel-search.ts';
import { RuleRefusalNote } from '../objects/why/rule-refusal-note.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { HelpText } from '../parts/help-text.tsx';
import { Lacks } from '../parts/lacks.tsx';
import { Moment } from '../parts/moment.tsx';
import { ReasonLink } from '../parts/reason-link.tsx';
import { reasonText } from '../parts/reason-text.ts';
import { countText, moneyText, percentText } from '../parts/value-text.ts';
import classes from './health.module.css';
import { type HealthRule, isFine, isSeldomMatched } from './health.ts';

interface DetailProps {
  readonly entity: ShownEntity;
  readonly health: Health;
  /** Whether it stands on the object's own page. */
  readonly isOwn?: boolean;
}

/** What is known of an object's health beside its figures, and where one goes from here. */
export function HealthDetail({ entity, health, isOwn = false }: DetailProps) {
  const { Id, State, Reasons, Missing, Paused, Limits, LastFault, Refusals, Unfilled = [] } = health;
  return (
    <Stack gap="md">
      {!isOwn && <Ways entity={entity} id={Id} />}
      {isFine(health) && (
        <Text c="dimmed">Nothing was refused in the last hour, and there are no known problems.</Text>
      )}
      {Missing.length > 0 && (
        <Part title="What it needs before it can serve">
          <Lacks entity={entity} id={Id} lacks={Missing} />
        </Part>
      )}
      {State !== 'not_ready' && Reasons.length > 0 && (
        <Part title="Why it is in this state">
          {Reasons.map(({ Reason, Help }) => (
            <Text key={Reason} size="sm">
              <ReasonLink name={Reason} /> – <HelpText text={Help} />
            </Text>
          ))}
        </Part>
      )}
      {Paused && (
        <Part title="Paused">
          <Text size="sm">
            Not called until <Moment time={Paused.Until} />, by {Paused.Threads} of {Paused.OfThreads}{' '}
            {Paused.OfThreads === 1 ? 'thread' : 'threads'} of this server, because of:
          </Text>
          <Rule rule={Paused} entity={entity} id={Id} />
        </Part>
      )}
      {Limits.length > 0 && (
        <Part title="Limits that are reached">
          {Limits.map((rule) => (
            <Rule key={rule.Reason + rule.Field} rule={rule} entity={entity} id={Id} />
          ))}
        </Part>
      )}
      {Refusals.length > 0 && <RefusedBy entity={entity} health={health} />}
      {isSeldomMatched(health) && (
        <Part title="Few viewers are matched">
          <Text size="sm">
            Only {percentText(health.MatchRate ?? 0)} of its calls carry the partner's own ID of the viewer.
            Check that its user sync URL sends viewers back to {'{redirect_url}'}, that pages and Prebid start
            the sync, and that consent names its vendor ID. Requests from servers and apps have no cookies to
            match.
          </Text>
        </Part>
      )}
      {Unfilled.length > 0 && (
        <Part title="Unfilled macros">
          {Unfilled.map(({ Parameter, Requests, Percent }) => (
            <Text key={Parameter} size="sm">
              {Math.round(Percent)} % of requests have an unfilled <code>{Parameter}</code> (
              {countText(Requests)})
            </Text>
          ))}
        </Part>
      )}
      {LastFault && <Fault entity={entity} id={Id} fault={LastFault} />}
    </Stack>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title order={2} size="h6" mb={4}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function Ways({ entity, id }: { readonly entity: ShownEntity; readonly id: number }) {
  const params = { entity: entity.key, id: String(id) };
  const name = objectName({ entity: entity.key, id });
  return (
    <Group gap="2px 16px" fz="sm">
      <Link to="/console/funnel" search={funnelOf(entity.key, id)}>
        Funnel
      </Link>
      <Link to="/console/auctions" search={entity.side === 'supply' ? { supply: name } : { demand: name }}>
        Sampled auctions
      </Link>
      <Link to="/console/$entity/$id/statistics" params={params}>
        Statistics
      </Link>
      <Link to="/console/$entity/$id" params={params}>
        Settings
      </Link>
    </Group>
  );
}

interface RuleProps {
  readonly rule: HealthRule;
  readonly entity: ShownEntity;
  readonly id: number;
}

function Rule({ rule: { Reason, Help, Field = '', Wanted, Met }, entity, id }: RuleProps) {
  return (
    <>
      <RuleRefusalNote refusal={{ Rule: Reason, Help, Field, Wanted, Met }} entity={entity} id={id} />
      <Text size="sm">
        <HelpText text={Help} />
      </Text>
    </>
  );
}

/** What refused the object's bids, or ended its auctions, in the last hour. */
function RefusedBy({ entity, health: { Id, Refusals } }: DetailProps) {
  const name = objectName({ entity: entity.key, id: Id });
  const isSupply = entity.side === 'supply';
  return (
    <Part title={isSupply ? 'What ended its auctions before demand' : 'What it was refused for'}>
      <ul className={classes.reasons}>
        {Refusals.map(({ Reason, Help, Refusals: count, LostValue }) => (
          <li key={Reason}>
            <Text size="sm" span>
              <ReasonLink name={Reason} help={Help} /> <b>{countText(count)}</b>
              {LostValue > 0 && `, ${moneyText(LostValue)} of bids`} ·{' '}
              <Link
                to="/console/auctions"
                search={
                  isSupply
                    ? { supply: name, reason: Reason, refused: 'request' }
                    : { demand: name, reason: Reason }
                }
                aria-label={`Auctions: ${reasonText(Reason)}`}
                title="Sampled auctions with this reason"
              >
                auctions
              </Link>
            </Text>
            <Text size="xs" c="dimmed">
              <HelpText text={Help} />
            </Text>
          </li>
        ))}
      </ul>
    </Part>
  );
}

interface FaultProps {
  readonly entity: ShownEntity;
  readonly id: number;
  readonly fault: NonNullable<Health['LastFault']>;
}

function Fault({ entity, id, fault }: FaultProps) {
  const { Time, HttpStatus, Markup, IsCut, IsTolerated, Field = '' } = fault;
  // A place in the answer is no field of the object.
  const isField = fieldOf(entity, Field) !== undefined;
  return (
    <Part title="Its last faulty answer">
      <Text size="sm" c="dimmed">
        <Moment time={Time} />, HTTP status {HttpStatus}
        {!isField && Field !== '' && `, at ${Field}`}
        {IsTolerated === 1 && '. It was used anyway: only the type of a member was wrong'}
      </Text>
      <Rule rule={fault} entity={entity} id={id} />
      {Markup !== '' && (
        <div className={classes.markup}>
          <CodeBlock text={Markup} />
        </div>
      )}
      {IsCut === 1 && (
        <Text size="xs" c="dimmed">
          Truncated after 4,096 characters.
        </Text>
      )}
    </Part>
  );
}
