import { setImmediate as turn } from 'node:timers/promises';
import { Type } from 'typebox';
import { closedObject, okStatus } from '../../answers/wire-schema.ts';
import type { Entity } from '../../entities/entity.ts';
import { type Fault, invalid, pathOf, Refusal } from '../../fields/fault.ts';
import type { Transaction } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { writer } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
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

interface BatchFaults {
  readonly faults: Fault[];
  readonly changed: Fault[];
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

/** All or none, in one transaction. */
async function prepareAll(context: Context, changes: readonly SentChange[], userId: number) {
  const prepared = await Promise.all(changes.map((change) => prepareChange(change, userId)));
  return async (transaction: Transaction) => {
    const tell = createChangeSummary(context);
    const troubles: BatchFaults = { faults: [], changed: [] };
    const done: object[] = [];
    for (const [index, { entity, run }] of prepared.entries()) {
      const change = changes[index];
      if (!change) break;
      const path = pathOf('Changes', index);
      troubles.faults.push(...tagFaults(change, path));
      try {
        done.push(await tell(transaction, change, entity, await run(transaction)));
      } catch (error) {
        file(troubles, error, entity, path);
      }
      if (index % changesPerTurn === changesPerTurn - 1) await turn();
    }
    refuse(troubles);
    return done;
  };
}

export const batch = defineEndpoint({
  method: 'POST',
  path: '/api/batch',
  name: 'batch',
  tag: { name: 'Batch', description: 'Many changes at once, all or none.' },
  summary: 'Change many objects',
  description: `Makes up to ${changesMax} changes in one transaction, in their order: all of them, or none if any is refused, with every fault at its path, for example \`${pathOf('Changes', 3)}.Object.Name\`. Each does the same as the object's own operation. Returns what has changed; with \`DryRun=1\`, what would change.`,
  access: writer,
  accepts: { ...body, bytesMax: bodyBytesMax, structureBytesMax: bodyBytesMax },
  failures: { ChangedMeanwhile: 'An object has a different `Tag` from the one sent; nothing was changed' },
  returns: {
    description: 'What was changed, in the order of the changes',
    schema: closedObject({ Status: okStatus, Changes: Type.Array(doneSchema) }),
    example: () => ({
      Status: 'Ok',
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
    const make = await prepareAll(context, call.body.Changes, call.caller.userId);
    const job = async (transaction: Transaction) => ({
      body: JSON.stringify({ Status: 'Ok', Changes: await make(transaction) }),
    });
    return perform(context, call, job, { isOfMany: true });
  },
});
