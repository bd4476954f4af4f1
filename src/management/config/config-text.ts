import { Document, isMap, isScalar, parseDocument } from 'yaml';
import type { ConfigDocument } from './export.ts';

const header =
  ' The configuration of a team of Bourse. To change it, use `bourse plan FILE` and `bourse apply FILE`.';

/** Easy to compare (reference, C1): the same document gives the same bytes. */
export function configText(config: ConfigDocument): string {
  const document = new Document(config, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  document.commentBefore = header;
  const { contents } = document;
  const [, ...sections] = isMap(contents) ? contents.items : [];
  for (const { key } of sections) if (isScalar(key)) key.spaceBefore = true;
  return document.toString({ lineWidth: 0 });
}

/**
 * YAML or JSON. Throws for malformed lines, tags that JSON does not have, text without members, and aliases that are
 * wrong or too many (a small text must not become a large document).
 */
export function readConfigText(text: string, name: string): unknown {
  const document = parseDocument(text, { resolveKnownTags: false });
  const faults = [...document.errors, ...document.warnings].map(
    ({ message }) => `${name}: ${message.trimEnd()}`,
  );
  if (faults.length > 0) throw new Error(faults.join('\n'));
  if (!isMap(document.contents)) {
    throw new Error(`${name} contains no configuration; \`bourse export\` writes one`);
  }
  try {
    return document.toJS();
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
