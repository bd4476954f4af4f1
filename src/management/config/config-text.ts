import { Document, isMap, isScalar, parseDocument } from 'yaml';
import type { ConfigDocument } from './export.ts';

const header =
  ' The configuration of a team of Bourse. Change it by `bourse plan FILE` and `bourse apply FILE`.';

/** A configuration as YAML that is easy to compare (reference, C1). The same document gives the same bytes. */
export function configText(config: ConfigDocument): string {
  const document = new Document(config, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  document.commentBefore = header;
  const { contents } = document;
  const [, ...sections] = isMap(contents) ? contents.items : [];
  for (const { key } of sections) if (isScalar(key)) key.spaceBefore = true;
  return document.toString({ lineWidth: 0 });
}

/**
 * The document in a text of YAML (or of JSON, which is YAML too) called `name`. Throws with the lines that are malformed,
 * with tags that JSON does not have (`!secret name` does not mean the text "name"), where the text has no members, and
 * with wrong aliases: of nothing, or so many that a small text would become a large document.
 */
export function readConfigText(text: string, name: string): unknown {
  const document = parseDocument(text, { resolveKnownTags: false });
  const faults = [...document.errors, ...document.warnings].map(
    ({ message }) => `${name}: ${message.trimEnd()}`,
  );
  if (faults.length > 0) throw new Error(faults.join('\n'));
  if (!isMap(document.contents)) {
    throw new Error(`${name} holds no configuration; \`bourse export\` writes one`);
  }
  try {
    return document.toJS();
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
