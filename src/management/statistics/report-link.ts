import type { StoredObject } from '../../store/interface.ts';

/** Partners, who have no page of it, see their figures on their own. */
export const reportLink = (
  consoleUrl: string,
  { id }: Pick<StoredObject, 'id'>,
  isOfPartner = false,
): string => (isOfPartner ? `${consoleUrl}/` : `${consoleUrl}/console/Report/${id}`);
