import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { readConfigText } from '../../management/config/config-text.ts';

/** YAML or JSON. Rejects as `readConfigText` throws, and if it is not UTF-8. */
export async function readConfigFile(path: string): Promise<unknown> {
  const bytes = await readFile(path);
  if (!isUtf8(bytes)) throw new Error(`${path} is not UTF-8 text`);
  return readConfigText(bytes.toString('utf8'), path);
}
