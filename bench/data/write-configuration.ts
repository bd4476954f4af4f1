import { entityOf } from '../../src/entities/registry.ts';
import { readListText } from '../../src/fields/list-text.ts';
import { createIdentity } from '../../src/identity/identity.ts';
import type { Actor, ObjectWrite, Transaction } from '../../src/store/interface.ts';
import { openStore } from '../../src/store/open-store.ts';
import { mail, password } from '../servers/bourse.ts';
import { dspVastTag } from './dsp-vast-tag.ts';
import { publisher } from './publisher.ts';

const supplyObjects = 1000;
/** Number of supply objects to which each demand object is connected. */
const connectionsEach = 3;
const objectsPerTransaction = 1000;

/** How much configuration to write. */
export interface Amounts {
  readonly demandObjects: number;
  /** Lines in all: half of them in one list of domains, half in one of addresses. */
  readonly listLines: number;
}

function writingOf(key: string, values: Readonly<Record<string, unknown>>): ObjectWrite {
  const fields = Object.entries(entityOf(key).fields).filter(([, { presence }]) => presence !== 'derived');
  const isConnection = (name: string) => entityOf(key).fields[name]?.place.kind === 'connection';
  const filled = fields.map(([name, { omitted }]) => [name, values[name] ?? omitted] as const);
  return {
    document: Object.fromEntries(filled.filter(([name]) => !isConnection(name))),
    connections: Object.fromEntries(
      filled.filter(([name]) => isConnection(name)),
    ) as ObjectWrite['connections'],
  };
}

async function writeList(transaction: Transaction, key: string, lines: readonly string[]): Promise<number> {
  const entity = entityOf(key);
  const place = Object.values(entity.fields).find((field) => field.place.kind === 'listText')?.place;
  if (place?.kind !== 'listText') throw new Error(`${key} has no text`);
  const { parts } = await readListText(lines.join('\n'), place.codec, async () => undefined);
  return transaction.insert(entity, { ...writingOf(key, { Name: 'Long' }), text: parts });
}

const domains = (count: number) =>
  Array.from({ length: count }, (_, index) => `site-${index * 7919}.example-${index % 97}.com`);
const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `${11 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}.7`);

async function writeRelatedObjects(transaction: Transaction, listLines: number) {
  const add = (key: string, values: Readonly<Record<string, unknown>>) =>
    transaction.insert(entityOf(key), writingOf(key, values));
  const PublisherId = await add('Publisher', publisher('site'));
  const advertiser = await add('Advertiser', publisher('brand'));
  const domainList = await writeList(transaction, 'DomainList', domains(listLines / 2));
  const ipList = await writeList(transaction, 'IpList', addresses(listLines / 2));
  const vastTags: number[] = [];
  for (let index = 0; index < supplyObjects; index += 1) {
    vastTags.push(await add('VastTag', { PublisherId, Name: `Zone ${index}` }));
  }
  return {
    advertiser,
    vastTags,
    domainLists: [domainList],
    ipLists: [ipList],
    appLists: [],
    rtbEps: [],
    tags: [],
  };
}

/** Writes a configuration of full DSP VAST Tags straight into a new database file: by the API it would take minutes. */
export async function writeConfiguration(path: string, { demandObjects, listLines }: Amounts): Promise<void> {
  const now = Date.now;
  const store = await openStore({ url: `sqlite:${path}`, now });
  await createIdentity({ store, now }).ensureAdministrator({ mail, password });
  const actor: Actor = { teamId: 1, userId: 1 };
  const related = await store.write(actor, (transaction) => writeRelatedObjects(transaction, listLines));
  const connectedTo = (index: number) =>
    Array.from(
      { length: connectionsEach },
      (_, step) => related.vastTags[(index * connectionsEach + step * 331) % supplyObjects] ?? 1,
    );
  for (let from = 0; from < demandObjects; from += objectsPerTransaction) {
    await store.write(actor, async (transaction) => {
      for (let index = from; index < Math.min(demandObjects, from + objectsPerTransaction); index += 1) {
        const values = dspVastTag({ ...related, vastTags: [...new Set(connectedTo(index))] }, index);
        await transaction.insert(entityOf('DspVastTag'), writingOf('DspVastTag', values));
      }
    });
  }
  await store.close();
}
