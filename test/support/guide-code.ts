import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { runToEnd } from '../spawned-server.ts';

const folder = new URL('../../docs/guide/', import.meta.url);

/** The blocks of code in a language that a guide has below a heading, in their order. */
export function guideCode(page: string, heading: string, language: string): readonly string[] {
  const text = readFileSync(new URL(page, folder), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0];
  assert.ok(section, `${page} has no heading "${heading}"`);
  const blocks = [...section.matchAll(/```(\w+)\n(.*?)```/gs)];
  return blocks.flatMap(([, of, code = '']) => (of === language ? [code] : []));
}

/** Runs commands of guides as they are written, one after the other in one shell; what they print. */
export async function runCommands(
  commands: readonly string[],
  variables: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<string> {
  const options = { env: { ...process.env, ...variables }, ...(cwd !== undefined && { cwd }) };
  const { code, output } = await runToEnd('bash', ['-euo', 'pipefail', '-c', commands.join('\n')], options);
  assert.equal(code, 0, output);
  return output;
}

/** An example of a guide, with the host, zone and credential of a URL that was handed out in place of its own. */
export function exampleFor(url: string, example: string): string {
  const { origin, hostname, searchParams } = new URL(url);
  const zone = searchParams.get('zone') ?? '';
  return example
    .replaceAll('https://ads.example', origin)
    .replaceAll('ads.example', hostname)
    .replaceAll('zone=1', `zone=${zone}`)
    .replaceAll('"zone": 1', `"zone": ${zone}`)
    .replaceAll(/…|%E2%80%A6/g, searchParams.get('auth') ?? '');
}
