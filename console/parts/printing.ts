import { useSyncExternalStore } from 'react';

const paper = () => window.matchMedia('print');

/** Browsers tell of paper before they lay it out; a store outside React is rendered at once. */
function onPaper(tell: () => void): () => void {
  const query = paper();
  query.addEventListener('change', tell);
  return () => query.removeEventListener('change', tell);
}

/** Whether the page is being printed: then nothing may be left to scrolling. */
export const useIsPrinting = (): boolean => useSyncExternalStore(onPaper, () => paper().matches);
