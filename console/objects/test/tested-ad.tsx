import { Button, Group, SimpleGrid, Tabs, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PartnerTracker, TestResult } from '../../../src/answers/test-result.ts';
import { sendRequest } from '../../api/call.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import type { PlayerNews, ShowAd } from '../../player/messages.ts';
import classes from './test.module.css';
import { fireRequest } from './test.ts';

const mediumOf = (markup: string): ShowAd['medium'] => (/<VAST[\s>]/i.test(markup) ? 'vast' : 'html');

/** What the player has told so far: the URLs that it would have called, each with its moment. */
function usePlayer(markup: string) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [called, setCalled] = useState<ReadonlyMap<string, number>>(new Map());
  const [failure, setFailure] = useState('');
  useEffect(() => {
    const startedAt = performance.now();
    const hear = ({ source, data }: MessageEvent<PlayerNews>) => {
      const player = frame.current?.contentWindow;
      if (!player || source !== player) return;
      if (data.kind === 'ready')
        player.postMessage({ kind: 'show', medium: mediumOf(markup), markup } satisfies ShowAd, '*');
      if (data.kind === 'failed') setFailure(String(data.reason));
      if (data.kind === 'event') {
        const seconds = (performance.now() - startedAt) / 1000;
        setCalled(
          (before) => new Map([...data.urls.map((url) => [String(url), seconds] as const), ...before]),
        );
      }
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, [markup]);
  return { frame, called, failure };
}

/** The ad of a test in a player, and the trackers that it would fire. */
export function TestedAd({ result: { Markup, Trackers } }: { readonly result: TestResult }) {
  const { frame, called, failure } = usePlayer(Markup);
  const medium = mediumOf(Markup);
  const [isLive, setLive] = useState(false);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
      <section>
        <Title order={2} size="h4" mb="xs">
          The ad
        </Title>
        <Tabs defaultValue="ad">
          <Tabs.List mb="sm">
            <Tabs.Tab value="ad">Player</Tabs.Tab>
            <Tabs.Tab value="markup">Markup</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="ad">
            <iframe
              key={isLive ? 'live' : medium}
              ref={frame}
              title="The ad in a player"
              className={classes.player}
              data-medium={medium}
              sandbox={isLive ? 'allow-scripts allow-popups' : 'allow-scripts'}
              allow="autoplay"
              src={`console/player/${isLive ? 'live' : medium}`}
            />
            {medium === 'html' && <Life isLive={isLive} onChange={setLive} />}
            {failure && (
              <Text size="sm" c="orange" role="status">
                {failure}
              </Text>
            )}
          </Tabs.Panel>
          <Tabs.Panel value="markup">
            <CodeBlock text={Markup} />
          </Tabs.Panel>
        </Tabs>
      </section>
      <section>
        <Title order={2} size="h4" mb="xs">
          Trackers of partners{' '}
          <Text span size="sm" c="dimmed">
            {Trackers.length || 'none'}
          </Text>
        </Title>
        <ul className={classes.trackers}>
          {Trackers.map((tracker) => (
            <TrackerRow
              key={`${tracker.Event}${tracker.DormantUrl || tracker.Url}`}
              tracker={tracker}
              seconds={called.get(tracker.DormantUrl)}
            />
          ))}
        </ul>
      </section>
    </SimpleGrid>
  );
}

interface LifeProps {
  readonly isLive: boolean;
  readonly onChange: (isLive: boolean) => void;
}

/** Whether a banner may run and call whom it wants, and what that means. */
function Life({ isLive, onChange }: LifeProps) {
  return (
    <Group gap="sm">
      <Text size="sm" c={isLive ? 'orange' : 'dimmed'} flex={1} role="status">
        {isLive
          ? 'It is live: everything it loads and calls, including its trackers, reaches the partner, who may count it.'
          : 'No scripts run and no pictures are loaded, because any of them may be a tracker that the partner counts.'}
      </Text>
      <Button size="xs" variant="default" onClick={() => onChange(!isLive)}>
        {isLive ? 'Stop it' : 'Show it live'}
      </Button>
    </Group>
  );
}

function TrackerRow({
  tracker,
  seconds,
}: {
  readonly tracker: PartnerTracker;
  readonly seconds: number | undefined;
}) {
  const request = fireRequest(tracker);
  const fired = useMutation({ mutationFn: async () => (await sendRequest(request)).data });
  const { data, error } = fired;
  const answer =
    data && (data.Rule ? data.Rule.replaceAll('_', ' ') : `${data.HttpStatus} in ${data.DurationMs} ms`);
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" fw={500}>
          {tracker.Event}
        </Text>
        <Group gap="xs" wrap="nowrap">
          {seconds !== undefined && (
            <Text size="sm" c="teal" role="status">
              ✓ at {seconds.toFixed(1)} s
            </Text>
          )}
          {answer && (
            <Text size="sm" role="status">
              {answer}
            </Text>
          )}
          {error && (
            <Text size="sm" c="red" role="alert">
              {error.message}
            </Text>
          )}
          <Button
            size="compact-xs"
            variant="default"
            disabled={tracker.DormantUrl === ''}
            loading={fired.isPending}
            onClick={() => fired.mutate()}
          >
            Fire
          </Button>
          {tracker.DormantUrl !== '' && <ApiCall isSmall calls={{ [`Fire ${tracker.Event}`]: request }} />}
        </Group>
      </Group>
      <Text size="xs" c="dimmed" className={classes.url} title={tracker.Url}>
        {tracker.Url}
      </Text>
    </li>
  );
}
