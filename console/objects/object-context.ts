import { createContext, use } from 'react';
import type { Stored } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';

export interface ShownObject {
  readonly entity: ShownEntity;
  readonly object: Stored;
  readonly tag: string;
}

/** The object whose screen is shown; only below that screen. */
export const ObjectContext = createContext<ShownObject | undefined>(undefined);

export function useShownObject(): ShownObject {
  const shown = use(ObjectContext);
  if (!shown) throw new Error('no object is shown');
  return shown;
}
