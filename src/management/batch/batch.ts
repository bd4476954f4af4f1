import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { Type } from 'typebox';
import { batchIdSchema } from '../../answers/batch-id.ts';
import { faultSchema } from '../../answers/failure.ts';
import { closedObject, okStatus } from '../../answers/wire-schema.ts';
import type { Entity } from '../../entities/entity.ts';
import { type Fault, invalid, pathOf, Refusal } from '../../fields/fault.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { Transaction } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { writer } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { flag } from '../endpoint/parameter.ts';
import { withWrapperPath } from '../object-input.ts';
import { perform } from '../perform.ts';
import { anyWarning } from '../warnings.ts';
import { changeSchema, createChangeSummary, prepareChange, type SentChange, tagFaults } from './change.ts';

const changesMax = 1000;
const bodyBytesMax = 8 * 1024 * 1024;
/** Changes per tick: a database in this thread would otherwise block all else. */
const changesPerTurn = 10;

const body = checkedBody({
  schema: closedObject({
    Changes: Type.Array(changeSchema, {
      minItems: 1,
      maxItems: changesMax,
      description: 'The changes to make, in this order',
    }),
    BatchId: Type.Optional(
      batchIdSchema(
        'ID of the bulk change in the history; requests of one user with the same one within a day are one bulk change. Absent = a new one',
      ),
    ),
  }),
  example: () => ({
    Changes: [
      { Entity: 'Tag', Operation: 'add', Object: { Name: 'Weekly' } },
      { Entity: 'VastTag', Operation: 'update', Object: { Id: 1, Bidfloor: 1.5 } },
    ],
  }),
});

const values = (description: string) => Type.Unsafe<object>({ type: 'object', description });

const doneSchema = closedObject({
  Entity: Type.String({ description: 'Kind of the object' }),
  Id: Type.Integer({ description: 'Its ID' }),
  Operation: Type.String({ description: 'What was done' }),
  Tag: Type.String({ description: 'Its new ETag' }),
  Before: values('The old values of what changed; {} if the object was added'),
  After: values('The new values of what changed'),
  Warnings: Type.Optional(
    Type.Array(anyWarning, {
      description:
        'For an add or update: the warnings that the operation itself would return. Absent if the batch is too large to look for all of them',
    }),
  ),
});

const refusedSchema = closedObject({
  Change: Type.Integer({ description: 'Its place in `Changes`, from 0' }),
  Errors: Type.Array(faultSchema, { description: 'Why it was refused' }),
});

interface BatchFaults {
  readonly faults: Fault[];
  readonly changed: Fault[];
}

interface Refused {
  readonly Change: number;
  readonly Errors: readonly Fault[];
}

/** Collects faults so that the other changes are still checked; rethrows other errors. */
function file({ faults, changed }: BatchFaults, error: unknown, entity: Entity, path: string): void {
  if (!(error instanceof Refusal)) throw error;
  if (error.code === 'invalid') faults.push(...withWrapperPath(entity, pathOf(path, 'Object'), error.faults));
  else if (error.code === 'changed_meanwhile') {
    const Message = 'is out of date: the object has changed since; fetch it again and retry';
    changed.push({ Path: pathOf(path, 'Tag'), Code: 'changed', Message });
  } else throw error;
}

function refuse({ faults, changed }: BatchFaults): void {
  if (faults.length > 0) throw invalid([...faults, ...changed]);
  if (changed.length === 0) return;
  const named = changed
    .map(({ Path }) => Path)
    .slice(0, 10)
    .join(', ');
  throw new Refusal('changed_meanwhile', `Objects were changed since they were fetched: ${named}`, {
    faults: changed,
  });
}

type Attempt = { readonly done: object } | { readonly troubles: BatchFaults };

/** A change is refused before it writes anything. */
async function attempt(
  entity: Entity,
  path: string,
  first: readonly Fault[],
  run: () => Promise<object>,
): Promise<Attempt> {
  const troubles: BatchFaults = { faults: [...first], changed: [] };
  if (first.length > 0) return { troubles };
  try {
    return { done: await run() };
  } catch (error) {
    file(troubles, error, entity, path);
    return { troubles };
  }
}

function refuseAny(refused: readonly BatchFaults[]): void {
  refuse({
    faults: refused.flatMap(({ faults }) => faults),
    changed: refused.flatMap(({ changed }) => changed),
  });
}

/** In one transaction: all or none, or all that are not refused. */
async function prepareAll(
  context: Context,
  changes: readonly SentChange[],
  { userId, skipsRefused }: { readonly userId: number; readonly skipsRefused: boolean },
) {
  const prepared = await Promise.all(changes.map((change) => prepareChange(change, userId)));
  return async (transaction: Transaction) => {
    const tell = createChangeSummary(context);
    const Changes: object[] = [];
    const refused: (BatchFaults & { readonly index: number })[] = [];
    for (const [index, { change, entity, run }] of prepared.entries()) {
      const path = pathOf('Changes', index);
      const result = await attempt(entity, path, tagFaults(change, path), async () =>
        tell(transaction, change, entity, await run(transaction)),
      );
      if ('done' in result) Changes.push(result.done);
      else refused.push({ index, ...result.troubles });
      if (index % changesPerTurn === changesPerTurn - 1) await turn();
    }
    if (skipsRefused) return { Changes, Refused: refused.map(shownRefusal) };
    refuseAny(refused);
    return { Changes };
  };
}

const sameBatchMs = 86_400_000;

/** Otherwise anyone could put changes into the bulk change of somebody else, who then reverts them with it. */
async function refuseOthersBatch(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { teamId, userId }: Bearer,
  batchId: string,
): Promise<void> {
  const [first] = await store.changes(teamId, { batchId }, 1);
  if (!first || (first.userId === userId && first.timeMs > now() - sameBatchMs)) return;
  const Message =
    'is of a bulk change that another user made, or that began a day ago; leave it out for a new one';
  throw invalid([{ Path: 'BatchId', Code: 'taken', Message }]);
}

const shownRefusal = ({ index, faults, changed }: BatchFaults & { readonly index: number }): Refused => ({
  Change: index,
  Errors: [...faults, ...changed],
});

export const batch = defineEndpoint({
  method: 'POST',
  path: '/api/batch',
  name: 'batch',
  tag: { name: 'Batch', description: 'Many changes at once.' },
  summary: 'Change many objects',
  description: `Makes up to ${changesMax} changes in one transaction, in their order: all of them, or none if any is refused, with every fault at its path, for example \`${pathOf('Changes', 3)}.Object.Name\`. Each does the same as the object's own operation. Returns what has changed; with \`DryRun=1\`, what would change. The history shows the changes as one bulk change, by its \`BatchId\`; a larger one can be sent in several requests with the same \`BatchId\`.`,
  access: writer,
  parameters: {
    SkipRefused: flag(
      '1 = changes that are refused are left out and listed in `Refused`, and the others are made',
    ),
  },
  accepts: { ...body, bytesMax: bodyBytesMax, structureBytesMax: bodyBytesMax },
  failures: { ChangedMeanwhile: 'An object has a different `Tag` from the one sent; nothing was changed' },
  returns: {
    description: 'What was changed, in the order of the changes',
    schema: closedObject({
      Status: okStatus,
      BatchId: batchIdSchema('ID of the bulk change, by which the history finds and reverts it'),
      Changes: Type.Array(doneSchema),
      Refused: Type.Optional(
        Type.Array(refusedSchema, { description: 'With `SkipRefused=1`: the changes that were left out' }),
      ),
    }),
    example: () => ({
      Status: 'Ok',
      BatchId: '0c6b6a2e-3f0b-4c55-9a6e-6a3f6f1f2b11',
      Changes: [
        {
          Entity: 'VastTag',
          Id: 1,
          Operation: 'update',
          Tag: '"17"',
          Before: { Bidfloor: 1.2 },
          After: { Bidfloor: 1.5 },
          Warnings: [],
        },
      ],
    }),
  },
  serve: (context) => async (call) => {
    const { Changes: changes, BatchId: batchId = randomUUID() } = call.body;
    await refuseOthersBatch(context, call.caller, batchId);
    const skipsRefused = call.parameters.SkipRefused === 1;
    const make = await prepareAll(context, changes, { userId: call.caller.userId, skipsRefused });
    const job = async (transaction: Transaction) => ({
      body: JSON.stringify({ Status: 'Ok', BatchId: batchId, ...(await make(transaction)) }),
    });
    return perform(context, call, job, { isOfMany: true, batchId });
  },
});
