import { Type } from 'typebox';
import { derivedField, documentField, type Field, type FieldOptions } from './field.ts';
import { idSchema, int } from './number.ts';

const idsSchema = Type.Array(idSchema, { maxItems: 100_000 });

export function reference(
  row: FieldOptions & { to: string },
): Field<typeof idSchema, typeof idSchema, 'optional'> {
  return { ...documentField(idSchema, { omitted: 0, example: 1, ...row }), references: row.to };
}

/** An object of entity `to`, or a `User`; 0 = none. */
export function referenceOrNone(row: FieldOptions & { to: string }) {
  return { ...int({ example: 1, ...row }), references: row.to };
}

export interface ConnectedTo<To extends string> {
  readonly place: { readonly kind: 'connection'; readonly to: To; readonly mirror: string | undefined };
}

/** In order (reference, "arrays of IDs"); `mirror` is the other side's field. */
export function connection<const To extends string>(
  row: FieldOptions & { to: To; mirror?: string },
): Field<typeof idsSchema, typeof idsSchema, 'optional'> & ConnectedTo<To> {
  return {
    ...documentField(idsSchema, { ...row, omitted: [], example: [] }),
    clean: (value) => [...new Set(value)],
    place: { kind: 'connection', to: row.to, mirror: row.mirror },
    references: row.to,
  };
}

/** The objects of entity `from` that name this one in `field`; shown, never sent. */
export function backReference({ help, ...row }: { from: string; field: string; help: string }) {
  return derivedField(Type.Array(Type.Integer()), {
    place: { kind: 'backReference', ...row },
    help,
    example: [],
  });
}
