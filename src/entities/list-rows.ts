import { backReference } from '../fields/connection.ts';
import { required } from '../fields/field.ts';
import { flag } from '../fields/number.ts';
import { type Placed, section } from '../fields/section.ts';
import { text } from '../fields/text.ts';

/** Rows of every list (specification 2.10). */
export const listRows = section('General', {
  Name: required(text({ help: 'Name of the list', example: 'Blocked inventory' })),
  Global: flag({ help: '1 = applies to every object of the team as a blacklist' }),
});

/** The objects that use a list in their field `field`: the entities' keys by the name they are shown under. */
export function usedBy<Name extends string>(field: string, from: Readonly<Record<Name, string>>) {
  const rows = Object.entries<string>(from).map(([name, entity]) => [
    name,
    backReference({ from: entity, field }),
  ]);
  const fields: Readonly<Record<string, ReturnType<typeof backReference>>> = Object.fromEntries(rows);
  return section('Connections', fields) as { [K in Name]: Placed<ReturnType<typeof backReference>> };
}
