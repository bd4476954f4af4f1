import { Refusal } from '../../fields/fault.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { Access } from '../endpoint/access.ts';
import type { BaseContext, Tag } from '../endpoint/endpoint.ts';
import { number } from '../endpoint/parameter.ts';
import { type EdgeHome, edgeProtocol } from './edge-home.ts';

export interface EdgeContext extends BaseContext {
  readonly edgeHome: EdgeHome;
  readonly isStopping: () => boolean;
}

/** A protocol between two Bourses, not in the public document. */
export const edgeTag: Tag = { name: 'Edges', description: 'The calls that edges make to their home.' };

export const edgeAccess: Access<Bearer, EdgeContext> = {
  by: 'token',
  right: 'serve',
  changes: false,
  isOwn: true,
};

/** In every call. */
export const protocol = {
  ...number({ help: 'Version of the protocol that the edge uses', max: 999_999 }),
  isRequired: true,
};

export function assertProtocol(sent: number | undefined): void {
  if (sent === edgeProtocol) return;
  throw new Refusal(
    'changed_meanwhile',
    `This home uses version ${edgeProtocol} of the edge protocol, and the edge version ${sent}; run the same version of Bourse on both`,
  );
}
