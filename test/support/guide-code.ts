import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const folder = new URL('../../docs/guide/', import.meta.url);

/** The blocks of code in a language that a guide has below a heading, in their order. */
export function guideCode(page: string, heading: string, language: string): readonly string[] {
  const text = readFileSync(new URL(page, folder), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0];
  assert.ok(section, `${page} has no heading "${heading}"`);
  const blocks = [...section.matchAll(/```(\w+)\n(.*?)```/gs)];
  return blocks.flatMap(([, of, code = '']) => (of === language ? [code] : []));
}
