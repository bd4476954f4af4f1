import type { Entity } from '../entities/entity.ts';
import type { Fault } from '../fields/fault.ts';
import type { StoredObject, TeamReads, Values } from '../store/interface.ts';
import { type ObjectInput, storeFaults } from './object-input.ts';
import { notFoundFault } from './post-answer.ts';
import { secretFaults } from './secrets.ts';

/** A change of an object, checked against what is stored. */
export interface CheckedChange {
  /** The object as it is; undefined where the team has none with that ID. */
  readonly current: StoredObject | undefined;
  readonly document: Values;
  /** All that is wrong; empty where the change may be made. */
  readonly faults: readonly Fault[];
}

/** Checks what `readInput` made of an update. `values` are those that were sent, also those that an update ignores. */
export async function checkChange(
  reads: TeamReads,
  entity: Entity,
  { input, values }: { readonly input: ObjectInput; readonly values: Values },
): Promise<CheckedChange> {
  const id = typeof input.valid.Id === 'number' ? input.valid.Id : 0;
  const current = await reads.find(entity, id);
  const document = { ...current?.document, ...input.document };
  const beside = await storeFaults(reads, entity, { input, document, id });
  const absent = current || id === 0 ? [] : [notFoundFault(entity, id)];
  const secrets = current ? secretFaults(entity, values, current.document) : [];
  return { current, document, faults: [...absent, ...input.faults, ...secrets, ...beside] };
}
