import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sellerOf } from '../../../src/reference/seller-of.ts';
import { type ApiRequest, sendRequest } from '../../api/call.ts';
import type { Stored } from '../../api/objects.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { AdsTxtFiles, adsTxtRefetch } from '../../parts/ads-txt-files.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { isActive } from '../../parts/object-name.ts';
import { useShownObject } from '../object-context.ts';
import classes from './account.module.css';

const adsTxtRequest = (Id: number) => ({ path: 'api/publisher/adstxt', query: { Id } }) satisfies ApiRequest;

/** Who may sell the publisher's ads: in files of its sites and apps, and in ours. */
export function PublishedFiles() {
  const { object } = useShownObject();
  const request = adsTxtRequest(object.Id);
  const { data, error } = useQuery({
    queryKey: ['ads-txt', object.Id],
    queryFn: async ({ signal }) => (await sendRequest(request, { signal })).data,
    refetchInterval: adsTxtRefetch,
  });
  return (
    <section aria-label="ads.txt and sellers.json">
      <Title order={2} size="h4" mb={4}>
        ads.txt and sellers.json <ApiCall calls={{ 'Fetch its lines': request }} isSmall />
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw={720}>
        Buyers read in ads.txt whether we may sell this publisher's ads, and in our sellers.json who it is. If
        our line is missing, many of them do not bid.
      </Text>
      <Stack gap="md" maw={860}>
        {error && <ErrorNote error={error} />}
        {!data && !error && <Skeleton h={160} aria-label="Loading the lines" />}
        {data && <AdsTxtFiles files={data} order={3} />}
        <SellerEntry object={object} />
      </Stack>
    </section>
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** What sellers.json says of the publisher. */
function SellerEntry({ object }: { readonly object: Stored }) {
  const seller = sellerOf({
    sellerId: textOf(object.SellerId) || String(object.Id),
    name: textOf(object.Name),
    sellersJsonDomain: textOf(object.SellersJsonDomain),
    platformDomain: textOf(object.PlatformDomain),
    sellerType: Number(object.SellerType ?? 0),
  });
  const isNamed = seller.domain !== '';
  const facts = {
    'Seller ID': seller.id,
    Type: seller.type,
    Name: isNamed ? seller.name : 'confidential',
    Domain: isNamed ? seller.domain : 'none',
  };
  return (
    <section aria-label="sellers.json">
      <Title order={3} size="h5" mb="xs">
        sellers.json
      </Title>
      <dl className={classes.facts}>
        {Object.entries(facts).map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {!(isNamed && isActive(object)) && (
        <Text size="sm" c="dimmed" mt="xs">
          {isActive(object)
            ? 'Without a domain the entry is confidential and does not name the publisher. '
            : 'It is inactive, so our sellers.json leaves it out. '}
          {isActive(object) && (
            <Link
              to="/console/$entity/$id"
              params={{ entity: 'Publisher', id: String(object.Id) }}
              search={{ field: 'SellersJsonDomain' }}
            >
              Set SellersJsonDomain
            </Link>
          )}
        </Text>
      )}
    </section>
  );
}
