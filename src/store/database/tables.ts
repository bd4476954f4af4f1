/** `DspVastTag` → `dsp_vast_tag`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** Of an entity's objects, or of users, by key. */
export function tableName(key: string): string {
  return snakeCase(key);
}

/** As Kysely types it. */
export function tableOf(key: string): 'object' {
  return tableName(key) as 'object';
}
