import { type TSchema, Type } from 'typebox';
import { pairWarningSchema } from '../answers/explanation.ts';
import type { Entity } from '../entities/entity.ts';
import type { TeamReads } from '../store/interface.ts';
import { alertWarnings } from './alerts/alert-warnings.ts';
import type { Context } from './context.ts';
import { compilePairWarnings, hasPairs, type WrittenObject } from './exchange/pair-warnings.ts';
import { settingWarningSchema, settingWarnings } from './setting-warnings.ts';
import { reportWarnings } from './statistics/report-warnings.ts';

export type WarningContext = Pick<Context, 'exchange' | 'store' | 'now' | 'keptDays' | 'hasMail'>;

/** Undefined if there can be none. */
type Find = (reads: Pick<TeamReads, 'documents'>, written: WrittenObject) => Promise<object[]> | undefined;

interface Kind {
  readonly isOf: (entity: Entity) => boolean;
  readonly schema: TSchema;
  /** The end of a sentence. */
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
    isOf: ({ warnings = [] }) => warnings.length > 0,
    schema: settingWarningSchema,
    help: 'settings that keep it from ever earning or showing anything',
    compile: (entity, context) => settingWarnings(entity, context),
  },
  {
    isOf: ({ key }) => key === 'Report',
    schema: settingWarningSchema,
    help: 'what keeps the report from being answered or sent with the present settings',
    compile:
      (_, context) =>
      (_reads, { document }) =>
        reportWarnings(context, document),
  },
  {
    isOf: ({ key }) => key === 'Alert',
    schema: settingWarningSchema,
    help: 'what keeps the alert from being judged or sent with the present settings',
    compile:
      (_, context) =>
      (_reads, { document }) =>
        alertWarnings(context, document),
  },
];

const kindsOf = (entity: Entity) => kinds.filter(({ isOf }) => isOf(entity));

function schemaOf(some: readonly Kind[]): TSchema {
  const [first, ...others] = new Set(some.map(({ schema }) => schema));
  if (first && others.length === 0) return first;
  return Type.Unsafe<object>({ anyOf: [first, ...others] });
}

/** Whether answers may warn, of what, and by which schema. */
export function warningsOf(entity: Entity): Pick<Kind, 'schema' | 'help'> | undefined {
  const some = kindsOf(entity);
  if (some.length === 0) return undefined;
  return { schema: schemaOf(some), help: some.map(({ help }) => help).join('; and ') };
}

export const anyWarning = schemaOf(kinds);

export function compileWarnings(entity: Entity, context: WarningContext): Find {
  const finds = kindsOf(entity).map(({ compile }) => compile(entity, context));
  return (reads, written) => {
    const found = finds.flatMap((find) => find(reads, written) ?? []);
    return found.length > 0 ? Promise.all(found).then((some) => some.flat()) : undefined;
  };
}
