import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { Document, isMap, isScalar, parseDocument } from 'yaml';
import type { ConfigDocument } from '../../management/config/export.ts';

const header =
  ' The configuration of a team of Bourse. Change it by `bourse plan FILE` and `bourse apply FILE`.';

/** A configuration as YAML that is easy to compare (decisions C1). The same document gives the same bytes. */
export function configText(config: ConfigDocument): string {
  const document = new Document(config, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  document.commentBefore = header;
  const { contents } = document;
  const [, ...sections] = isMap(contents) ? contents.items : [];
  for (const { key } of sections) if (isScalar(key)) key.spaceBefore = true;
  return document.toString({ lineWidth: 0 });
}

/**
 * The document in a file of YAML (or of JSON, which is YAML too). Rejects with the lines that are malformed, with tags
 * that JSON does not have (`!secret name` does not mean the text "name"), where the file has no members, and with wrong
 * aliases: of nothing, or so many that a small file would become a large document.
 */
export async function readConfigFile(path: string): Promise<unknown> {
  const bytes = await readFile(path);
  if (!isUtf8(bytes)) throw new Error(`${path} is not UTF-8 text`);
  const document = parseDocument(bytes.toString('utf8'), { resolveKnownTags: false });
  const faults = [...document.errors, ...document.warnings].map(
    ({ message }) => `${path}: ${message.trimEnd()}`,
  );
  if (faults.length > 0) throw new Error(faults.join('\n'));
  if (!isMap(document.contents)) {
    throw new Error(`${path} holds no configuration; \`bourse export\` writes one`);
  }
  try {
    return document.toJS();
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
