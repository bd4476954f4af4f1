import { Image, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import icon from '../icon.svg';
import classes from './login-frame.module.css';

interface FrameProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly children: ReactNode;
  /** What stands below, for who cannot go on. */
  readonly foot?: ReactNode;
}

/** What is around every screen for who is not logged in. */
export function LoginFrame({ title, text, children, foot }: FrameProps) {
  return (
    <div className={classes.page}>
      <main className={classes.middle}>
        <Image src={icon} alt="" w={44} h={44} mb="xl" />
        <Stack gap={6} mb="xl">
          <Title order={1} size="h2">
            {title}
          </Title>
          <Text c="dimmed">{text}</Text>
        </Stack>
        {children}
      </main>
      <Text size="sm" c="dimmed" component="footer" className={classes.foot}>
        {foot}
      </Text>
    </div>
  );
}
