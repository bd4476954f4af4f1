import fc from 'fast-check';

/** Stands in a case for what is known only when it is sent: an ID of an object that exists then, and the like. */
export interface Drawn {
  readonly drawn: string;
  readonly pick: number;
}

/** Answers what is drawn: the same for the same state, kind and pick. */
export type Draw = (kind: string, pick: number) => unknown;

const picks = 10_000;

/** Something of that kind that exists when the case is sent. */
export function drawn(kind: string): fc.Arbitrary<Drawn> {
  return fc.nat({ max: picks }).map((pick) => ({ drawn: kind, pick }));
}

function isDrawn(value: object): value is Drawn {
  return 'drawn' in value && typeof value.drawn === 'string' && 'pick' in value;
}

/** The same value with everything drawn that stands in it. */
export function resolved(value: unknown, draw: Draw): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolved(item, draw));
  if (isDrawn(value)) return draw(value.drawn, value.pick);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(item, draw)]));
}
