import { Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { plainHelp } from '../parts/help-text.tsx';
import { reasonText } from '../parts/reason-text.ts';
import { countText, moneyText, percentText } from '../parts/value-text.ts';
import { auctionsOf } from './auctions-of.ts';
import type { Funnel, LossStage, Step } from './funnel.ts';
import type { FunnelSearch } from './funnel-search.ts';
import classes from './funnel-view.module.css';
import { Losses } from './losses.tsx';
import { gapText, offeredToOne, requestsNote, stageTexts, stepTexts } from './stage-texts.ts';

interface ViewProps {
  readonly funnel: Funnel;
  readonly search: FunnelSearch;
}

/** The bars of a funnel, what is lost between them, and the reasons by what they cost. */
export function FunnelView({ funnel, search }: ViewProps) {
  const greatest = (unit: Step['unit']) =>
    Math.max(1, ...funnel.steps.filter((step) => step.unit === unit).map(({ count }) => count));
  return (
    <Stack gap="xl">
      <ol className={classes.steps} aria-label="From request to ad">
        {funnel.steps.map((step) => (
          <StepRow key={step.key} step={step} funnel={funnel} search={search} of={greatest(step.unit)} />
        ))}
      </ol>
      <section>
        <Title order={2} size="h4">
          Reasons, by what they cost
        </Title>
        <Text size="sm" c="dimmed" mb="sm" maw={720}>
          The value of a refusal is what its bid offered for that impression. A bid that was outbid also has a
          value, although nothing is lost with it.
        </Text>
        <Losses losses={funnel.losses} search={search} />
      </section>
    </Stack>
  );
}

interface RowProps extends ViewProps {
  readonly step: Step;
  /** The greatest count of its kind, which has the whole width. */
  readonly of: number;
}

const placeOf = (count: number, of: number, behind = 0) => ({
  width: `${(100 * count) / of}%`,
  minWidth: count > 0 ? 2 : 0,
  marginInlineStart: `${(100 * Math.max(0, behind)) / of}%`,
});

/** The bar before, of which a bar is a share; undefined for the first of its kind. */
function before({ steps }: Funnel, step: Step): Step | undefined {
  const last = steps[steps.indexOf(step) - 1];
  return last?.unit === step.unit && last.count > 0 ? last : undefined;
}

const titleOf = ({ key }: Step) => stepTexts[key]?.title ?? key;

function StepRow({ step, funnel, search, of }: RowProps) {
  const { key, count, value = 0, losses, unit } = step;
  const note = key === 'Requests' ? requestsNote(funnel) : '';
  const gap = gapText(step);
  const last = before(funnel, step);
  return (
    <li className={unit === 'requests' ? classes.own : undefined}>
      <div className={classes.step}>
        <div className={classes.label}>
          <Link to="/console/auctions" search={auctionsOf(search)} title="Sampled auctions">
            {titleOf(step)}
          </Link>
          <Text size="xs" c="dimmed">
            {key === 'Offered' && search.demand !== undefined ? offeredToOne : stepTexts[key]?.help}
          </Text>
        </div>
        <span className={classes.track} aria-hidden>
          <span className={classes.bar} style={placeOf(count, of)} />
        </span>
        <span className={classes.count}>
          <b>{countText(count)}</b>
          <Text span size="xs" c="dimmed">
            {last && (
              <span title={`Of the step above, ${titleOf(last)}`}>
                {percentText((100 * count) / last.count)}
              </span>
            )}
            {value > 0 && <span title="What they offer for one impression each"> · {moneyText(value)}</span>}
          </Text>
        </span>
      </div>
      {losses.map(({ stage, count: lost }, index) => {
        // What goes on stands before what was lost, as in the bar above.
        const gone = losses.slice(0, index + 1).reduce((sum, loss) => sum + loss.count, 0);
        return (
          <LossRow key={stage} {...{ stage, funnel, search, of, step }} count={lost} behind={count - gone} />
        );
      })}
      {(gap !== '' || note !== '') && (
        <Text size="sm" className={classes.note}>
          {gap !== '' && `${step.gap > 0 ? '+' : '−'}${countText(Math.abs(step.gap))}: ${gap}. `}
          {note}
        </Text>
      )}
    </li>
  );
}

const namedMax = 4;

interface LossRowProps extends RowProps {
  readonly stage: LossStage;
  readonly count: number;
  readonly behind: number;
}

function LossRow({ stage, count, behind, funnel, search, of, step }: LossRowProps) {
  if (count === 0) return null;
  const reasons = funnel.losses
    .filter((loss) => loss.stage === stage)
    .toSorted((one, other) => other.refusals - one.refusals);
  const lostValue = reasons.reduce((sum, loss) => sum + loss.lostValue, 0);
  const more = reasons.length - namedMax;
  return (
    <div className={classes.loss}>
      <div className={classes.lossLabel}>
        <span>{stageTexts[stage]}</span>
        <ul className={classes.reasons} aria-label={`Reasons: ${stageTexts[stage]}`}>
          {reasons.slice(0, namedMax).map((loss) => (
            <li key={loss.reason}>
              <Link to="/console/auctions" search={auctionsOf(search, loss)} title={plainHelp(loss.help)}>
                {reasonText(loss.reason)}
              </Link>{' '}
              {countText(loss.refusals)}
            </li>
          ))}
          {more > 0 && <li>and {more} more, below</li>}
        </ul>
      </div>
      <span className={classes.track} aria-hidden>
        <span
          className={classes.lost}
          style={placeOf(Math.min(count, of), of, Math.min(behind, of - count))}
        />
      </span>
      <span className={classes.count}>
        −{countText(count)}
        <Text span size="xs" c="dimmed">
          {step.count > 0 && percentText(Math.min(100, (100 * count) / step.count))}
          {lostValue > 0 && ` · ${moneyText(lostValue)}`}
        </Text>
      </span>
    </div>
  );
}
