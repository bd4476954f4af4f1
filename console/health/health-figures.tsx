import { SimpleGrid, Text } from '@mantine/core';
import type { Health } from '../../src/answers/object-health.ts';
import { columnsOf } from './figures.ts';
import classes from './health.module.css';
import { HealthFigure } from './health-figure.tsx';

interface FiguresProps {
  readonly side: keyof typeof columnsOf;
  readonly health: Health;
}

/** The figures of an object's last hour, each with its name. */
export function HealthFigures({ side, health }: FiguresProps) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 4, lg: 5 }} m={0} spacing="lg">
      {columnsOf[side].map(({ title, help, cell, isTrouble }) => (
        <div key={title}>
          <Text component="dt" size="sm" c="dimmed" title={help}>
            {title}
          </Text>
          <Text component="dd" m={0} fw={600} className={isTrouble?.(health) ? classes.trouble : undefined}>
            <HealthFigure cell={cell(health)} />
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
