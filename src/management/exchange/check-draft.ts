import type { Entity } from '../../entities/entity.ts';
import { settingsFiller } from '../../entities/filled-settings.ts';
import { connectionField, type ServedKind } from '../../entities/kinds.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { TeamReads, Values } from '../../store/interface.ts';
import { checkChange } from '../check-change.ts';
import { compileCheck } from '../input/validation.ts';
import { withoutDerived } from '../input/wrapper.ts';
import { readInput } from '../object-input.ts';
import { updateSchema } from '../schemas.ts';
import type { Draft, SentDraft } from './draft.ts';

interface ExplainedObject {
  readonly kind: string;
  readonly id: number;
}

const checks = new Map<string, ReturnType<typeof compileCheck>>();

function checkOf(entity: Entity) {
  const known = checks.get(entity.key);
  if (known) return known;
  const check = compileCheck(updateSchema(entity));
  checks.set(entity.key, check);
  return check;
}

/** With the ID of the object asked about, if they are its own and name none. */
function withId(asked: ExplainedObject, { entity, values }: SentDraft): Values {
  return entity.key === asked.kind && !Object.hasOwn(values, 'Id') ? { ...values, Id: asked.id } : values;
}

/** Of a draft unrelated to the object asked about. */
function relationFaults(
  asked: ExplainedObject,
  { entity, path }: SentDraft,
  draft: Draft,
  before: Values,
): Fault[] {
  if (entity.key === asked.kind) {
    const Message = `must be ${asked.id}, the ID of the explained object, or be left out`;
    return draft.id === asked.id ? [] : [{ Path: `${path}.Id`, Code: 'format', Message }];
  }
  const field = connectionField(entity.key as ServedKind, asked.kind as ServedKind);
  const lists = [
    ownMember(draft.connections, field),
    ownMember(before, field) as readonly number[] | undefined,
  ];
  if (lists.some((ids) => ids?.includes(asked.id))) return [];
  const Message = `${entity.title} ${draft.id} is not connected to the explained object; name that object in \`${field}\``;
  return [{ Path: `${path}.Id`, Code: 'not_found', Message }];
}

/** Moves the fault's path to where the values are. */
const movedTo =
  (path: string, { wrapper }: Entity) =>
  (fault: Fault): Fault => ({ ...fault, Path: path + fault.Path.slice(wrapper.length) });

const idLists = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => Array.isArray(value)));

/** Like an update, and makes the whole object. Refuses with `invalid`. */
export async function checkDraft(reads: TeamReads, asked: ExplainedObject, sent: SentDraft): Promise<Draft> {
  const { entity, path } = sent;
  const values = withId(asked, sent);
  const own = withoutDerived(entity, values, ['Id']);
  const input = await readInput(entity, { sent: own, faults: [] }, checkOf(entity), false);
  const { current, document, faults } = await checkChange(reads, entity, { input, values });
  if (faults.length > 0 || !current) throw invalid(faults.map(movedTo(path, entity)));
  const owner = entity.owner ? ownMember(document, entity.owner.field) : undefined;
  const draft: Draft = {
    entity: entity.key,
    id: current.id,
    teamId: current.teamId,
    ownerId: typeof owner === 'number' ? owner : undefined,
    status: current.status,
    settings: settingsFiller(entity)(document),
    connections: { ...idLists(current.derived), ...input.connections } as Draft['connections'],
  };
  const unrelated = relationFaults(asked, sent, draft, current.derived);
  if (unrelated.length > 0) throw invalid(unrelated);
  return draft;
}
