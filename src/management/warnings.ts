import { type TSchema, Type } from 'typebox';
import type { Entity } from '../entities/entity.ts';
import type { TeamReads } from '../store/interface.ts';
import { alertWarnings } from './alerts/alert-warnings.ts';
import type { Context } from './context.ts';
import { pairWarningSchema } from './exchange/explanation-schemas.ts';
import { compilePairWarnings, hasPairs, type WrittenObject } from './exchange/pair-warnings.ts';
import { reportWarningSchema, reportWarnings } from './statistics/report-warnings.ts';

/** What finding warnings works with. */
export type WarningContext = Pick<Context, 'exchange' | 'store' | 'now' | 'keptDays' | 'hasMail'>;

/** Finds the warnings of an object that is written, or undefined where there can be none. */
type Find = (reads: Pick<TeamReads, 'documents'>, written: WrittenObject) => Promise<object[]> | undefined;

/** The warnings of some kinds of objects. */
interface Kind {
  readonly isOf: (entity: Entity) => boolean;
  readonly schema: TSchema;
  /** What they say, as the end of a sentence. */
  readonly help: string;
  readonly compile: (entity: Entity, context: WarningContext) => Find;
}

const kinds: readonly Kind[] = [
  {
    isOf: hasPairs,
    schema: pairWarningSchema,
    help: 'connected objects that this one can never meet in an auction',
    compile: (entity, { exchange }) => compilePairWarnings(entity, exchange.judgePair),
  },
  {
    isOf: ({ key }) => key === 'Report',
    schema: reportWarningSchema,
    help: 'what keeps the report from being answered or sent as things are now',
    compile:
      (_, context) =>
      (_reads, { document }) =>
        reportWarnings(context, document),
  },
  {
    isOf: ({ key }) => key === 'Alert',
    schema: reportWarningSchema,
    help: 'what keeps the alert from being judged or sent as things are now',
    compile:
      (_, context) =>
      (_reads, { document }) =>
        alertWarnings(context, document),
  },
];

const kindOf = (entity: Entity) => kinds.find(({ isOf }) => isOf(entity));

/** Whether answers with objects of the entity may warn, of what, and by which schema. */
export const warningsOf = (entity: Entity): Pick<Kind, 'schema' | 'help'> | undefined => kindOf(entity);

/** Schema of a warning of any object. */
export const anyWarning = Type.Unsafe<object>({
  anyOf: [...new Set(kinds.map(({ schema }) => schema))],
});

/** Compiles what finds the warnings of an entity's objects. */
export const compileWarnings = (entity: Entity, context: WarningContext): Find =>
  kindOf(entity)?.compile(entity, context) ?? (() => undefined);
