import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { figuresQuery } from '../../api/figures.ts';
import { measures } from '../../field-tables.ts';
import { fieldOf } from '../../fields.ts';
import { Change } from '../../parts/change.tsx';
import { figureText } from '../../parts/figure-text.ts';
import { titleOf } from '../../parts/value-text.ts';
import { useShownObject } from '../object-context.ts';
import classes from './account.module.css';
import { AccountPeople } from './account-people.tsx';
import { figuresOf, ownedBy, sideOf } from './owned.ts';
import { OwnedObjects } from './owned-objects.tsx';
import { PublishedFiles } from './published-files.tsx';

/** All that concerns a publisher or an advertiser: today's money, what it owns, its files and its people. */
export function AccountTab() {
  const { entity } = useShownObject();
  return (
    <Stack gap="xl" maw={1100}>
      <TodaysFigures />
      {ownedBy(entity).map((owned) => (
        <OwnedObjects key={owned.key} owned={owned} />
      ))}
      {fieldOf(entity, 'SellerId') && <PublishedFiles />}
      <AccountPeople />
    </Stack>
  );
}

/** Of all that the account owns, beside the same hours of yesterday. */
function TodaysFigures() {
  const { entity, object } = useShownObject();
  const { data } = useQuery(figuresQuery(entity.key, [object.Id]));
  const figures = data?.get(object.Id);
  return (
    <section aria-label="Today">
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 6 }} m={0} spacing="xl">
        {figuresOf[sideOf(entity)].map((name) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed" title={measures[name]?.help}>
              {titleOf(name)}
            </Text>
            <dd className={classes.figure}>{figures ? figureText(name, figures.Today) : '–'}</dd>
            <dd style={{ margin: 0 }}>
              {figures && (
                <Change
                  now={figures.Today[name]}
                  before={figures.SameHoursYesterday[name]}
                  since="yesterday"
                  isFalling={measures[name]?.isBurden === true}
                />
              )}
            </dd>
          </div>
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt="xs">
        Today so far (UTC), of all that it owns.
      </Text>
    </section>
  );
}
