import type { Entity } from '../entities/entity.ts';
import type { Fault } from '../fields/fault.ts';
import type { StoredObject, TeamReads, Values } from '../store/interface.ts';
import { type ObjectInput, storeFaults } from './object-input.ts';
import { notFoundFault } from './post-answer.ts';
import { secretFaults } from './secrets.ts';

export interface CheckedChange {
  /** Undefined if the team has none with that ID. */
  readonly current: StoredObject | undefined;
  readonly document: Values;
  /** Empty if the change may be made. */
  readonly faults: readonly Fault[];
}

/** `values` as sent, including those that an update ignores. */
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
