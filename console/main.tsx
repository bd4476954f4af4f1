import './shell/mantine.css';
import './shell/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isPassing } from './api/call.ts';
import { createConsoleRouter } from './router.tsx';
import { takeLink } from './session/link.ts';
import { textColours, theme } from './shell/theme.ts';
import { allowStyleTexts } from './shell/trusted-types.ts';

allowStyleTexts();

const retriesMax = 2;
const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < retriesMax && isPassing(error),
    },
  },
});
const router = createConsoleRouter({ client, link: takeLink() });
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// What Mantine's modals add to the page while they are open carries it, too.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={textColours}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce}
        >
          <RouterProvider router={router} />
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
