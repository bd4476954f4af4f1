import { type Command, InvalidArgumentError } from 'commander';
import { readMinutes } from '../keys.ts';
import { shutOut } from './lost-edge.ts';
import { withIdentity } from './with-identity.ts';

async function add(label: string): Promise<void> {
  const { key } = await withIdentity((identity) => identity.addEdgeKey(label));
  console.log(key);
}

async function list(): Promise<void> {
  for (const { id, label, createdAtMs } of await withIdentity((identity) => identity.edgeKeys())) {
    console.log(`${id}  ${label}  made ${new Date(createdAtMs).toJSON()}`);
  }
}

async function revoke(id: number): Promise<void> {
  await withIdentity((identity) => identity.revokeEdgeKey(id));
  console.log(`Revoked the key of edge ${id}`);
}

function edgeId(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be the number of an edge; `bourse edge list` prints the numbers.');
}

export function edge(program: Command): void {
  const command = program
    .command('edge')
    .description('keys of edges; an edge serves all teams of an installation');
  command
    .command('add')
    .description('print a new key and nothing else; it cannot be shown again')
    .argument('<label>', 'name of the edge it is for')
    .action(add);
  command.command('list').description('list the keys with number and label').action(list);
  command
    .command('revoke')
    .description('revoke a key')
    .argument('<number>', 'number that `bourse edge list` prints', edgeId)
    .action(revoke);
  command
    .command('lost')
    .description('revoke the key of an edge that is lost or stolen, and list what to replace')
    .argument('<number>', 'number that `bourse edge list` prints', edgeId)
    .option('--in <minutes>', 'minutes until the new tracker key is used', readMinutes, 1)
    .action(shutOut);
}
