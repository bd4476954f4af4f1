import { readFileSync, writeFileSync } from 'node:fs';
import { configMarkdown } from '../src/config.ts';
import { entities } from '../src/entities/registry.ts';
import { lossCodeOf } from '../src/exchange/demand/auction-macros.ts';
import { type Reason, reasons } from '../src/exchange/reasons.ts';
import type { Field } from '../src/fields/field.ts';
import { sections } from '../src/fields/section-names.ts';
import { lossReasons } from '../src/protocols/openrtb/loss-reasons.ts';
import { shownCounters } from '../src/reference/counters.ts';
import { dimensionRows } from '../src/reference/dimensions.ts';
import { snippetOf } from '../src/reference/integration-snippet.ts';
import { integrationRows } from '../src/reference/integrations.ts';
import { type Measure, measures } from '../src/reference/measures.ts';
import { reasonHelp } from '../src/reference/reason-help.ts';
import { roleHelp, roles } from '../src/reference/roles.ts';
import { units } from '../src/reference/units.ts';

/*
 * Writes the tables in documents that say what the code says: `<!-- table: units -->` up to `<!-- /table -->`. Pages are
 * named from the folder of the guides. Reasons are named in the comment, so that a page has them in parts:
 * `<!-- table: reasons lost below_floor -->`.
 */

/** The folder of the guides. */
export const guides = new URL('../docs/guide/', import.meta.url);

const code = (text: string | number) => `\`${text}\``;
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const isReason = (name: string): name is Reason => Object.hasOwn(reasons, name);

/** The reasons of these names; throws for a name that is none. */
function reasonRows(names: readonly string[]) {
  return names.map((name) => {
    if (!isReason(name)) throw new Error(`there is no reason "${name}"`);
    return [code(name), reasons[name], reasonHelp[name]];
  });
}

const measureRows = () =>
  Object.entries<Measure>(measures).map(([name, { help, unit = '' }]) => [code(name), help, unit]);

const groupRows = () => dimensionRows.map(([name, { help }]) => [code(name), help]);

const columnRows = () =>
  shownCounters.map(({ name, help, unit, seenBy }) => [
    code(name),
    help,
    { count: '', nanoUsd: 'USD', nanoLocal: 'local currency' }[unit],
    seenBy.map((side) => `${side}s`).join(' and '),
  ]);

const kindRows = () =>
  entities.map(({ title, key, help, exchange }) => [
    title,
    code(key),
    sentence(help),
    exchange?.side ?? 'label',
  ]);

/** Fields that have the same codes share a row, and are named once whichever objects have them. */
function codeRows() {
  const names = new Map<string, Set<string>>();
  for (const { fields } of entities) {
    for (const [name, { labels }] of Object.entries<Field>(fields)) {
      if (!labels) continue;
      const meanings = Object.entries(labels).map(([value, label]) => `${value} = ${label}`);
      const text = meanings.join('; ');
      names.set(text, (names.get(text) ?? new Set()).add(code(name)));
    }
  }
  return [...names].map(([meanings, fields]) => [[...fields].join(', '), meanings]);
}

/** The loss codes that a bidder may get for what is wrong with its bid, each with our reasons. */
function lossRows() {
  const byCode = Map.groupBy(Object.keys(reasons).filter(isReason), lossCodeOf);
  return Object.entries(lossReasons).flatMap(([name, value]) => {
    const ours = byCode.get(value) ?? [];
    if (ours.length === 0) return [];
    const isOther = value === lossReasons.internal_error;
    return [[value, name.replaceAll('_', ' '), isOther ? 'all others' : ours.map(code).join(', ')]];
  });
}

/** The kind of supply that hands out URLs of an endpoint. */
function callerOf(endpoint: string): string {
  const isPlace = ({ place }: Field) =>
    place.kind === 'regionUrls' && JSON.stringify(place).includes(`/${endpoint}?`);
  return entities.find(({ fields }) => Object.values<Field>(fields).some(isPlace))?.title ?? '';
}

/** Parameters of the URL, and what each platform's macro for it is. */
function macroTable(): string {
  const platforms = integrationRows
    .map(([, integration]) => integration)
    .filter(({ calls, macros }) => calls === 'vast' && Object.keys(macros).length > 0);
  const names = new Set(platforms.flatMap(({ macros }) => Object.keys(macros)));
  return table(
    ['Parameter', ...platforms.map(({ title }) => title)],
    [...names].map((name) => [
      code(`&${name}=`),
      ...platforms.map(({ macros }) => (macros[name] === undefined ? '' : code(macros[name]))),
    ]),
  );
}

const integrationTable = () =>
  table(
    ['Object', 'Platform', 'What to do with the code'],
    integrationRows.map(([, { calls, title, help }]) => [callerOf(calls), title, help]),
  );

/** The code for a platform, for an RTB EP of banners and videos. */
function exampleSnippet([name]: readonly string[]): string {
  const [, integration] = integrationRows.find(([one]) => one === name) ?? [];
  const urls = ['https://ads.example/rtb?zone=1&auth=…'];
  const object = { Id: 1, BannerEnabled: 1, VideoEnabled: 1 };
  const snippet = integration && snippetOf(integration, { object, urls, vendor: 9999, exchange: 'Acme' });
  if (snippet === undefined) throw new Error(`there is no snippet "${name}"`);
  return `\`\`\`${integration?.form}\n${snippet.code}\`\`\``;
}

/** Every table by name, as Markdown; its arguments are the words behind the name. */
const tables: Readonly<Record<string, (names: readonly string[]) => string>> = {
  reasons: (names) => table(['Reason', 'Code', 'What it means, and what changes it'], reasonRows(names)),
  losses: () => table(['Code', 'OpenRTB calls it', 'Reasons that give it'], lossRows()),
  measures: () => table(['Figure', 'What it says', 'Unit'], measureRows()),
  dimensions: () => table(['Name', 'What it tells apart'], groupRows()),
  columns: () => table(['Column', 'What it counts', 'Unit', 'Who sees it'], columnRows()),
  units: () => table(['Unit', 'Meaning'], Object.entries(units)),
  sections: () => table(['Section', 'What its fields are about'], Object.entries(sections)),
  kinds: () => table(['Object', 'Name in the API', 'What it is', 'Side'], kindRows()),
  roles: () =>
    table(
      ['Role', 'Code', 'What it may do'],
      roles.map(({ Id, Name }) => [Name, Id, roleHelp[Id]]),
    ),
  codes: () => table(['Fields', 'Codes'], codeRows()),
  integrations: integrationTable,
  macros: macroTable,
  snippet: exampleSnippet,
  settings: configMarkdown,
};

const marked = /<!-- table: (\w+)([\w ]*) -->\n.*?<!-- \/table -->/gs;

/** A page with its tables as the code has them; throws for a table or a reason that there is none of. */
export function withTables(text: string): string {
  return text.replace(marked, (_all, name: string, words: string) => {
    const made = tables[name]?.(words.split(' ').filter(Boolean));
    if (made === undefined) throw new Error(`there is no table "${name}"`);
    return `<!-- table: ${name}${words} -->\n${made}\n<!-- /table -->`;
  });
}

/** Names of the tables and reasons that a guide shows. */
export function tablesIn(
  text: string,
): readonly { readonly name: string; readonly words: readonly string[] }[] {
  return [...text.matchAll(marked)].map(([, name = '', words = '']) => ({
    name,
    words: words.split(' ').filter(Boolean),
  }));
}

if (import.meta.main) {
  for (const page of process.argv.slice(2)) {
    const path = new URL(page, guides);
    writeFileSync(path, withTables(readFileSync(path, 'utf8')));
  }
}
