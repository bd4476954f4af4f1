/**
 * Sends every OpenRTB request that stands in the JSON files and Markdown code blocks of a folder to a zone URL of
 * `/rtb`, unchanged, and tells what each sort was answered: for examples that others publish, and that we may not keep.
 * `node scripts/try-examples.ts <folder> <zone URL>`; ends with 1 where anything but 200, 204 or 400 was answered.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const depthMax = 8;
const allowed = new Set([200, 204, 400]);
const codeBlock = /^[ \t]*```\w*[ \t]*\n([\s\S]*?)^[ \t]*```/gm;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requestsIn(value: unknown, depth = 0): object[] {
  if (typeof value !== 'object' || value === null || depth > depthMax) return [];
  if ('imp' in value && Array.isArray(value.imp)) return [value];
  return Object.values(value).flatMap((inner) => requestsIn(inner, depth + 1));
}

function documentsIn(path: string): unknown[] {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.md')) return [...text.matchAll(codeBlock)].map(([, code = '']) => parsed(code));
  return path.endsWith('.json') ? [parsed(text)] : [];
}

async function answerTo(request: object, url: string): Promise<{ status: number; sort: string }> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(request) });
  const { status } = response;
  const { ext } = (parsed(await response.text()) ?? {}) as { ext?: { fault?: string } };
  return { status, sort: `${status} ${ext?.fault ?? ''}`.trimEnd() };
}

const [folder, url] = process.argv.slice(2);
if (!folder || !url) throw new Error('usage: node scripts/try-examples.ts <folder> <zone URL>');
const sorts = new Map<string, { count: number; first: string }>();
for (const name of readdirSync(folder, { recursive: true }).map(String)) {
  const path = join(folder, name);
  if (!statSync(path).isFile()) continue;
  for (const request of documentsIn(path).flatMap((document) => requestsIn(document))) {
    const { status, sort } = await answerTo(request, url);
    const { count = 0, first = name } = sorts.get(sort) ?? {};
    sorts.set(sort, { count: count + 1, first });
    if (!allowed.has(status)) process.exitCode = 1;
  }
}
for (const [sort, { count, first }] of [...sorts].sort(([, one], [, other]) => other.count - one.count)) {
  console.log(`${String(count).padStart(6)}  ${sort}  (${first})`);
}
