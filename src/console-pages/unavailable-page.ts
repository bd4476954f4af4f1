import { htmlText } from '../reference/html-text.ts';
import type { ConsoleState } from './built-console.ts';

type Unavailable = Exclude<ConsoleState, { kind: 'ready' }>;

function wordsOf(state: Unavailable): { readonly title: string; readonly body: string } {
  if (state.kind === 'building')
    return {
      title: 'The console is being built',
      body: '<p>This takes a few seconds. The page reloads by itself.</p>',
    };
  return {
    title: 'The console could not be built',
    body: `<p>Run <code>npm ci</code> in the project's folder and start again. The build failed with:</p>
<pre>${htmlText(state.reason)}</pre>`,
  };
}

/** Shown while there is no console, or if none can be built. */
export function unavailablePage(state: Unavailable, nonce: string) {
  const { title, body } = wordsOf(state);
  const headers: Readonly<Record<string, string>> =
    state.kind === 'building' ? { refresh: '1', 'retry-after': '1' } : {};
  const text = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">body { max-width: 46rem; margin: 15vh auto 2rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
pre { overflow: auto; padding: 1rem; background: #8881; font-size: .85rem; white-space: pre-wrap; }</style></head>
<body><h1>${title}</h1>
${body}
<p>Meanwhile, the management API and the exchange work: <a href="/docs">the API's reference</a>.</p></body>
</html>
`;
  return { text, headers };
}
