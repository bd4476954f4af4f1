import { Center, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { isSessionEnded, onSessionEnd } from '../api/session-end.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Shell } from '../shell/shell.tsx';
import type { HandedLink } from './link.ts';
import { LoginScreen } from './login-screen.tsx';
import { accountQuery, isPartner, logIn } from './session.ts';
import { SessionContext } from './session-context.ts';

const SetPassword = lazy(() =>
  import('./set-password.tsx').then(({ SetPassword: screen }) => ({ default: screen })),
);

const EndedSession = lazy(async () => ({
  default: (await import('./ended-session.tsx')).EndedSession,
}));

const Portal = lazy(() => import('../portal/portal.tsx').then(({ Portal: screen }) => ({ default: screen })));

const loading = (
  <Center mih="100dvh">
    <Loader aria-label="Loading" />
  </Center>
);

/** Uses the link of a first start, once. Settles at once where there is none. */
function useLogin(link: HandedLink | undefined) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ['link'],
    enabled: link?.kind === 'link',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () => {
      const account = await logIn({ Link: link?.secret ?? '' });
      client.setQueryData(accountQuery.queryKey, account);
      return true;
    },
  });
}

/** Shows the console to who is logged in, and the login to everybody else. `link`: what opened the page. */
export function Gate({ link: opened }: { readonly link: HandedLink | undefined }) {
  const [link, setLink] = useState(opened);
  const login = useLogin(link);
  const { data: account, error, isPending } = useQuery({ ...accountQuery, enabled: !login.isFetching });
  const isEnded = useSyncExternalStore(onSessionEnd, isSessionEnded);
  if (link?.kind === 'invite') {
    return (
      <Suspense fallback={loading}>
        <SetPassword link={link.secret} onLeave={() => setLink(undefined)} />
      </Suspense>
    );
  }
  if (isPending || login.isFetching) return loading;
  if (error) {
    return (
      <Center mih="100dvh" p="md">
        <ErrorNote error={error} />
      </Center>
    );
  }
  if (!account) return <LoginScreen failure={login.error ?? undefined} />;
  return (
    <SessionContext value={account}>
      {isPartner(account) ? (
        <Suspense fallback={loading}>
          <Portal />
        </Suspense>
      ) : (
        <Shell />
      )}
      {isEnded && (
        <Suspense>
          <EndedSession account={account} />
        </Suspense>
      )}
    </SessionContext>
  );
}
