import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

const shown = 40;

function roomOf({ callFrame: { url, functionName } }: ProfileNode): string {
  const own = /\/src\/(\w[\w-]*)/.exec(url)?.[1];
  const installed = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (installed) return installed;
  if (own) return `src/${own}`;
  if (url.startsWith('node:')) return url.replace(/^node:(internal\/)?/, 'node:').split('/', 1)[0] ?? url;
  return functionName.startsWith('(') ? functionName : 'native';
}

function nameOf({ callFrame: { url, functionName, lineNumber } }: ProfileNode): string {
  const place = url.replace(/^.*\/(node_modules|src)\//, '');
  return `${functionName || '(anonymous)'} ${place}${url === '' ? '' : `:${lineNumber + 1}`}`;
}

function selfTime(
  { nodes, samples, timeDeltas }: Profile,
  lastSeconds: number,
  by: (node: ProfileNode) => string,
) {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map<string, number>();
  let leftUs = lastSeconds * 1e6;
  for (let index = samples.length - 1; index >= 0 && leftUs > 0; index--) {
    const node = known.get(samples[index] ?? 0);
    const spentUs = timeDeltas[index] ?? 0;
    leftUs -= spentUs;
    if (!node || node.callFrame.functionName === '(idle)') continue;
    times.set(by(node), (times.get(by(node)) ?? 0) + spentUs);
  }
  return [...times].toSorted(([, a], [, b]) => b - a);
}

function print(title: string, times: readonly (readonly [string, number])[]): void {
  const total = times.reduce((sum, [, time]) => sum + time, 0);
  console.log(`\n${title}`);
  for (const [name, time] of times.slice(0, shown)) {
    console.log(`${((time / total) * 100).toFixed(1).padStart(6)} %  ${name}`);
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { last: { type: 'string', default: '1000000' } },
});
const profile: Profile = JSON.parse(readFileSync(positionals[0] ?? '', 'utf8'));
print('Self time by place', selfTime(profile, Number(values.last), roomOf));
print('Self time by function', selfTime(profile, Number(values.last), nameOf));
