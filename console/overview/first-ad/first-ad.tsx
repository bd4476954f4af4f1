import { Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { DemandStep } from './demand-step.tsx';
import classes from './first-ad.module.css';
import { FirstAdTest } from './first-ad-test.tsx';
import { knownEntity } from './known-entity.ts';
import { PublisherStep } from './publisher-step.tsx';
import { MadeObject, Step } from './step.tsx';
import { TagStep } from './tag-step.tsx';

/** How far somebody has come on the way to the first ad: what was made, by ID. */
export interface FirstAdSearch {
  readonly publisher?: number | undefined;
  readonly tag?: number | undefined;
  /** Kind of the demand; a campaign, unless it says otherwise. */
  readonly kind?: 'DspVastTag' | undefined;
  readonly demand?: number | undefined;
}

const order = ['publisher', 'tag', 'demand'] as const;

const head = (
  <Stack gap={4}>
    <Text size="sm" c="dimmed">
      <Link to="/">Overview</Link> / the first ad
    </Text>
    <Title order={1} size="h3">
      Your first ad
    </Title>
    <Text c="dimmed" size="sm" maw={640}>
      Four steps. Each adds a real object that you can change later; nothing is lost if you leave.
    </Text>
  </Stack>
);

/** Leads from nothing to the first ad, each step a call of the API; the address says how far. */
export function FirstAd() {
  const search = useSearch({ from: '/console/first-ad' });
  const navigate = useNavigate();
  const { publisher, tag, kind = 'Campaign', demand } = search;
  const go = (made: FirstAdSearch) =>
    void navigate({ to: '/console/first-ad', search: { ...search, ...made } });
  const now = order.find((step) => search[step] === undefined);
  const stateOf = (step: (typeof order)[number]) => {
    if (search[step] !== undefined) return 'done';
    return step === now ? 'now' : 'later';
  };
  return (
    <Stack gap="xl">
      {head}
      <ol className={classes.steps}>
        <Step
          number={1}
          title="Who sells the ad space?"
          text="A publisher owns the sites or apps where ads are shown. This can be you."
          state={stateOf('publisher')}
          made={publisher !== undefined && <MadeObject entity={knownEntity('Publisher')} id={publisher} />}
        >
          <PublisherStep onDone={(id) => go({ publisher: id })} />
        </Step>
        <Step
          number={2}
          title="Where is the ad shown?"
          text="A VAST tag is one placement for video ads. Its player requests an ad from us with a URL."
          state={stateOf('tag')}
          made={tag !== undefined && <MadeObject entity={knownEntity('VastTag')} id={tag} />}
        >
          {publisher !== undefined && <TagStep publisherId={publisher} onDone={(id) => go({ tag: id })} />}
        </Step>
        <Step
          number={3}
          title="Whose ad is it?"
          text="An advertiser pays for it, and has its own video, or its own VAST tag that we call."
          state={stateOf('demand')}
          made={demand !== undefined && <MadeObject entity={knownEntity(kind)} id={demand} />}
        >
          {publisher !== undefined && tag !== undefined && (
            <DemandStep
              publisherId={publisher}
              tagId={tag}
              onDone={(made, id) =>
                go({ demand: id, kind: made === 'DspVastTag' ? 'DspVastTag' : undefined })
              }
            />
          )}
        </Step>
        <Step
          number={4}
          title="See it play"
          text="The tag's URL for the player, and a test that really requests an ad but counts nothing."
          state={now === undefined ? 'now' : 'later'}
        >
          {tag !== undefined && demand !== undefined && (
            <FirstAdTest tagId={tag} kind={kind} demandId={demand} />
          )}
        </Step>
      </ol>
    </Stack>
  );
}
