import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileUp, FlaskConical, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiCall } from '../api-call/api-call.tsx';
import { errorBeside } from '../parts/faults.ts';
import { administratorReason, analystReason, mayChange, mayManageUsers } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { demonstrationQuery, startRequest, useStartDemonstration } from './demonstration.ts';
import classes from './first-steps.module.css';

/** In place of the overview of a team that has nothing to ask for ads yet: three ways to begin. */
export function FirstSteps() {
  const may = mayChange(useAccount());
  const asLink = { disabled: !may, title: may ? undefined : analystReason };
  return (
    <Stack gap="xl" pt="md">
      <Stack gap={4}>
        <Title order={1} size="h2">
          Your exchange is ready
        </Title>
        <Text c="dimmed" maw={560}>
          It has no tags, feeds or endpoints yet, so nothing requests ads. There are three ways to begin,
          which{' '}
          <Link to="/console/help/$page" params={{ page: 'first-ad' }}>
            the guide to the first ad
          </Link>{' '}
          also explains:
        </Text>
      </Stack>
      <div className={classes.ways}>
        <Way
          icon={<Play size={28} strokeWidth={1.5} />}
          title="Add my first tag"
          text="From a publisher to an ad that plays, step by step, in under three minutes. You can change everything later."
        >
          <Button {...asLink} renderRoot={(props) => <Link to="/console/first-ad" {...props} />}>
            Begin
          </Button>
        </Way>
        <Demonstration />
        <Way
          icon={<FileUp size={28} strokeWidth={1.5} />}
          title="Apply a file"
          text="If you have the configuration of another Bourse, or wrote one in YAML: see what it would change before you apply it."
        >
          <Button
            variant="default"
            {...asLink}
            renderRoot={(props) => <Link to="/console/configuration" {...props} />}
          >
            Choose a file
          </Button>
        </Way>
      </div>
    </Stack>
  );
}

interface WayProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Way({ icon, title, text, children }: WayProps) {
  return (
    <section className={classes.way}>
      {icon}
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm" className={classes.text}>
        {text}
      </Text>
      {children}
    </section>
  );
}

/** Why the demonstration cannot be started; undefined where it can. */
function useObstacle(): string | undefined {
  const may = mayManageUsers(useAccount());
  const { data } = useQuery(demonstrationQuery);
  if (!may) return administratorReason;
  return data?.Obstacle || undefined;
}

function Demonstration() {
  const client = useQueryClient();
  const start = useStartDemonstration();
  const { data } = useQuery(demonstrationQuery);
  const obstacle = useObstacle();
  const icon = <FlaskConical size={28} strokeWidth={1.5} />;
  if (start.isSuccess) {
    return (
      <Way
        icon={icon}
        title="The demonstration is running"
        text="Play its ads, then watch the results here: each ad appears in the figures within seconds."
      >
        <Button component="a" href={data?.Url || 'demo/player'} target="_blank" rel="noreferrer">
          Open the player
        </Button>
        <Button variant="subtle" onClick={() => void client.invalidateQueries()}>
          Go to the overview
        </Button>
      </Way>
    );
  }
  return (
    <Way
      icon={icon}
      title="See the demonstration"
      text="A small, fully connected exchange with bidders that this server simulates, and a page that plays their ads. For looking around and trying things out."
    >
      <Group gap="xs">
        <Button
          variant="default"
          loading={start.isPending}
          disabled={obstacle !== undefined}
          title={obstacle}
          onClick={() => start.mutate()}
        >
          Start it
        </Button>
        <ApiCall calls={{ 'Start it': startRequest }} />
      </Group>
      {start.error && (
        <Text size="sm" c="red" role="alert">
          {errorBeside(start.error, [])?.message}
        </Text>
      )}
    </Way>
  );
}
