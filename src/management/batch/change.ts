import { type Static, Type } from 'typebox';
import { closedObject, named, oneOf } from '../../answers/wire-schema.ts';
import type { Entity } from '../../entities/entity.ts';
import { entities, entityOf } from '../../entities/registry.ts';
import { type Fault, invalid, pathOf } from '../../fields/fault.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { StoredObject, Transaction, Values } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { connectedCount } from '../exchange/pair-warnings.ts';
import { assertMatch, entityTag } from '../http/entity-tag.ts';
import { type Check, compileCheck } from '../input/validation.ts';
import { withoutDerived } from '../input/wrapper.ts';
import { readInput } from '../object-input.ts';
import { addObject } from '../operations/add.ts';
import { updateObject } from '../operations/update.ts';
import { requireObject } from '../post-answer.ts';
import { compilePresenter } from '../present.ts';
import { addSchema, idOnlySchema, updateSchema } from '../schemas.ts';
import { newFigures } from '../shown-figures.ts';
import { compileWarnings, type WarningContext } from '../warnings.ts';

const operations = ['update', 'activate', 'deactivate', 'add'] as const;
type OperationName = (typeof operations)[number];
const [firstKey = '', ...otherKeys] = entities.map(({ key }) => key);

export const changeSchema = named(
  'BatchChange',
  closedObject({
    Entity: oneOf([firstKey, ...otherKeys], 'Kind of the object'),
    Operation: oneOf([...operations], 'The operation'),
    Object: Type.Unsafe<Values>({
      type: 'object',
      description: 'What the operation takes under its key; for activate and deactivate, the Id',
    }),
    Tag: Type.Optional(
      Type.String({
        maxLength: 256,
        description: 'ETag of the object as you know it; the same as `If-Match` of an update',
      }),
    ),
  }),
);

export type SentChange = Static<typeof changeSchema>;

export interface ChangeResult {
  readonly before: StoredObject | undefined;
  readonly after: StoredObject;
}

type Run = (transaction: Transaction) => Promise<ChangeResult>;

interface Prepared {
  readonly change: SentChange;
  readonly entity: Entity;
  /** Refuses like the single operation. */
  readonly run: Run;
}

const checks = new Map<string, Check>();
const schemas = { update: updateSchema, add: addSchema };

function checkOf(entity: Entity, operation: 'update' | 'add'): Check {
  const key = `${operation} ${entity.key}`;
  const check = checks.get(key) ?? compileCheck(schemas[operation](entity));
  checks.set(key, check);
  return check;
}
const checkId = compileCheck(idOnlySchema);

function idOf(sent: Values, faults: readonly Fault[]): number {
  if (faults.length > 0) throw invalid(faults);
  return sent.Id as number;
}

function prepareStatus(entity: Entity, { Object: values, Tag }: SentChange, status: 0 | 1): Run {
  const sent = withoutDerived(entity, values, ['Id']);
  const faults = checkId(sent, entity.wrapper);
  return async (transaction) => {
    const id = idOf(sent, faults);
    const before = await requireObject(transaction, entity, id);
    assertMatch(Tag, before);
    await transaction.setStatus(entity, before, status);
    return { before, after: await requireObject(transaction, entity, id) };
  };
}

async function prepareUpdate(entity: Entity, { Object: values, Tag }: SentChange): Promise<Run> {
  const sent = { sent: withoutDerived(entity, values, ['Id']), faults: [] };
  const input = await readInput(entity, sent, checkOf(entity, 'update'), false);
  return async (transaction) => {
    const id = Number(input.valid.Id) || 0;
    const before = await transaction.find(entity, id);
    return { before, after: await updateObject(transaction, entity, { input, values, ifMatch: Tag }) };
  };
}

async function prepareAdd(entity: Entity, { Object: values }: SentChange, userId: number): Promise<Run> {
  const sent = { sent: withoutDerived(entity, values), faults: [] };
  const input = await readInput(entity, sent, checkOf(entity, 'add'), true);
  return async (transaction) => {
    const added = await addObject(transaction, entity, { input, userId, warningsOf: () => undefined });
    return { before: undefined, after: added.object };
  };
}

const prepares: Readonly<
  Record<OperationName, (entity: Entity, change: SentChange, userId: number) => Run | Promise<Run>>
> = {
  update: prepareUpdate,
  add: prepareAdd,
  activate: (entity, change) => prepareStatus(entity, change, 0),
  deactivate: (entity, change) => prepareStatus(entity, change, 1),
};

/** Before its transaction. */
export async function prepareChange(change: SentChange, userId: number): Promise<Prepared> {
  const entity: Entity = entityOf(change.Entity);
  return { change, entity, run: await prepares[change.Operation as OperationName](entity, change, userId) };
}

/** For an added object. */
export function tagFaults({ Operation, Tag }: SentChange, path: string): readonly Fault[] {
  if (Operation !== 'add' || Tag === undefined) return [];
  const Message = 'is of an existing object; leave it out when adding one';
  return [{ Path: pathOf(path, 'Tag'), Code: 'contradiction', Message }];
}

/** Connected objects that one batch's warnings look at: a batch must not hold up writers. */
const lookedAtMax = 5000;

/** What is different now; warnings only while few objects were looked at. */
export function createChangeSummary(context: Pick<Context, 'links' | 'now'> & WarningContext) {
  const { links, now: clock } = context;
  let lookedAt = 0;
  const warningsOf = async (
    transaction: Transaction,
    entity: Entity,
    { id, document, derived }: StoredObject,
  ) => {
    lookedAt += connectedCount(entity, derived);
    if (lookedAt > lookedAtMax) return {};
    const find = compileWarnings(entity, context);
    return { Warnings: (await find(transaction, { id, document, connections: derived })) ?? [] };
  };
  return async (
    transaction: Transaction,
    { Operation }: SentChange,
    entity: Entity,
    { before, after }: ChangeResult,
  ) => {
    const present = compilePresenter(entity, 'posted');
    const figures = newFigures(clock());
    const old: Values = before ? present(before, links(), figures) : {};
    const now = present(after, links(), figures);
    const changed = Object.keys(now).filter(
      (name) => JSON.stringify(ownMember(old, name)) !== JSON.stringify(ownMember(now, name)),
    );
    const pick = (values: Values) =>
      Object.fromEntries(
        changed.flatMap((name) => (Object.hasOwn(values, name) ? [[name, ownMember(values, name)]] : [])),
      );
    const hasWarnings = Operation === 'add' || Operation === 'update';
    return {
      Entity: entity.key,
      Id: after.id,
      Operation,
      Tag: entityTag(after),
      Before: pick(old),
      After: pick(now),
      ...(hasWarnings ? await warningsOf(transaction, entity, after) : {}),
    };
  };
}
