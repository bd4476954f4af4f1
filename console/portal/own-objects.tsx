import {
  Badge,
  Box,
  Button,
  Group,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { arrayIn } from '../api/answers.ts';
import { sendRequest } from '../api/call.ts';
import type { Stored } from '../api/objects.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import type { ShownEntity, ShownField } from '../field-tables.ts';
import { fieldsOf } from '../fields.ts';
import { GetTag } from '../objects/tag/get-tag.tsx';
import { regionTagsOf } from '../objects/tag/tag-urls.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { objectName, pluralOf } from '../parts/object-name.ts';
import { titleOf, valueText } from '../parts/value-text.ts';
import classes from './own-objects.module.css';
import { ownRequest } from './partner.ts';

const PaceCard = lazy(async () => ({ default: (await import('../pace/pace-card.tsx')).PaceCard }));

const shownMax = 200;
/** What stands in the heading of an object. */
const inHeading = ['Id', 'Name', 'Status', 'StatusString'];

/** A partner's objects of one kind: what they are, and the addresses to call them by. */
export function OwnObjects({ entity }: { readonly entity: ShownEntity }) {
  // A search for a number comes as one.
  const { q } = useSearch({ strict: false });
  const wanted = String(q ?? '');
  const navigate = useNavigate();
  const search = (text: string) =>
    void navigate({
      to: '/console/$entity',
      params: { entity: entity.key },
      search: { q: text === '' ? undefined : text },
      replace: true,
    });
  const { data, error, isPending } = useQuery({
    queryKey: ['own', entity.key],
    queryFn: async ({ signal }) => arrayIn((await sendRequest(ownRequest(entity), { signal })).data),
  });
  const found = (data ?? []).filter((object) =>
    objectName(object).toLowerCase().includes(wanted.toLowerCase()),
  );
  return (
    <Stack gap="lg" maw={860}>
      <Group justify="space-between">
        <Title order={1} size="h3">
          {pluralOf(entity)}
        </Title>
        <ApiCall calls={{ [`Fetch your ${pluralOf(entity)}`]: ownRequest(entity) }} />
      </Group>
      <Text c="dimmed" maw={640}>
        {`Each is ${entity.help}. `}
        {entity.side === 'supply' && (
          <Link to="/console/help/$page" params={{ page: 'publishers' }}>
            How to integrate it
          </Link>
        )}
      </Text>
      {error && <ErrorNote error={error} />}
      {isPending && <Skeleton h={240} aria-label="Loading" />}
      {data?.length === 0 && (
        <Text c="dimmed">There are none yet. The exchange adds them; ask your contact there.</Text>
      )}
      {data && data.length > 5 && (
        <TextInput
          aria-label="Find by name"
          placeholder="Find by name"
          value={wanted}
          onChange={({ currentTarget: { value } }) => search(value)}
        />
      )}
      {found.slice(0, shownMax).map((object) => (
        <OwnObject key={object.Id} entity={entity} object={object} />
      ))}
      {found.length > shownMax && (
        <Text c="dimmed">And {found.length - shownMax} more; find them by name.</Text>
      )}
    </Stack>
  );
}

/** Whether a value says more than that nothing was chosen. */
const isSet = (field: ShownField, value: unknown): boolean =>
  JSON.stringify(value) !== JSON.stringify(field.omitted) && valueText(field, value) !== '';

function OwnObject({ entity, object }: { readonly entity: ShownEntity; readonly object: Stored }) {
  const fields = fieldsOf(entity).filter(
    ({ name, isForOwner }) => isForOwner && !inHeading.includes(name) && name !== entity.owner?.field,
  );
  const facts = fields.filter((field) => field.place !== 'regionUrls' && isSet(field, object[field.name]));
  return (
    <section className={classes.object} aria-label={objectName(object)}>
      <Group gap="xs" mb="xs">
        <Title order={2} size="h5">
          <bdi>{objectName(object)}</bdi>
        </Title>
        <Text size="sm" c="dimmed">
          {object.Id}
        </Text>
        <Badge variant="light" color={object.Status === 0 ? 'teal' : 'gray'}>
          {String(object.StatusString)}
        </Badge>
      </Group>
      {entity.side === 'supply' && <OwnTag entity={entity} object={object} />}
      <SimpleGrid cols={{ base: 2, sm: 3, md: 4 }} spacing="sm" verticalSpacing={6}>
        {facts.map((field) => (
          <div key={field.name}>
            <Text size="xs" c="dimmed">
              {titleOf(field.name)}
            </Text>
            <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
              <bdi>{valueText(field, object[field.name], object.Currency)}</bdi>
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {entity.side === 'demand' && <OwnPace entity={entity} object={object} />}
    </section>
  );
}

/** How an object delivers; only where it is asked for, since each asks the server. */
function OwnPace({ entity, object }: { readonly entity: ShownEntity; readonly object: Stored }) {
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <Stack gap="md" mt="sm" align="stretch">
      <Button
        size="compact-sm"
        variant="light"
        aria-expanded={isOpen}
        onClick={toggle}
        style={{ alignSelf: 'flex-start' }}
      >
        {isOpen ? 'Hide the pace' : 'Is it on plan?'}
      </Button>
      {isOpen && (
        <Suspense fallback={<Skeleton h={300} aria-label="Loading the pace" />}>
          <PaceCard
            entity={entity.key}
            id={object.Id}
            none="It has no limit to follow now: none for a day, for a present flight, or between a first and a last day."
          />
        </Suspense>
      )}
    </Stack>
  );
}

/** The addresses of an object, and the code that calls it. */
function OwnTag({ entity, object }: { readonly entity: ShownEntity; readonly object: Stored }) {
  const [isOpen, { toggle }] = useDisclosure();
  const regions = regionTagsOf(entity, object);
  return (
    <Stack gap="xs" mb="sm" align="flex-start">
      {regions.flatMap(({ region, urls }) =>
        Object.entries(urls).map(([name, url]) => (
          <Box key={region + name} maw="100%">
            <Text size="xs" c="dimmed">
              {regions.length > 1 ? `${titleOf(name)}, ${region}` : titleOf(name)}
            </Text>
            <CopyText text={url} />
          </Box>
        )),
      )}
      <Button size="compact-sm" variant="light" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? 'Hide the code' : 'Code for players and pages'}
      </Button>
      {isOpen && <GetTag entity={entity} object={object} />}
    </Stack>
  );
}
