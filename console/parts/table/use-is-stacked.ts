import { useMediaQuery } from '@mantine/hooks';
import { useIsPrinting } from '../printing.ts';

/** Whether the rows of tables are cards, each value below its column's name: on a phone, but not on paper. */
export function useIsStacked(): boolean {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const isPrinting = useIsPrinting();
  return isNarrow && !isPrinting;
}
