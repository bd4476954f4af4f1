import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Something that is so, and what it means. */
export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  readonly help?: string;
  /** Whether somebody should look after it. */
  readonly isBad?: boolean;
}

/** What is so, one below the other. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value, help, isBad = false }) => (
        <div key={name} className={classes.fact}>
          <Text component="dt" size="sm" fw={500}>
            {name}
          </Text>
          <dd className={classes.value}>
            <Text size="sm" component="div" c={isBad ? 'red' : undefined} fw={isBad ? 600 : undefined}>
              {value}
            </Text>
            {help && (
              <Text size="xs" c="dimmed">
                {help}
              </Text>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
