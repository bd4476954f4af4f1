/** A name as the database has it: `DspVastTag` → `dsp_vast_tag`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** Name of the table of an entity's objects (or of users), from its key. */
export function tableName(key: string): string {
  return snakeCase(key);
}

/** The table of an entity's objects, as Kysely types it. */
export function tableOf(key: string): 'object' {
  return tableName(key) as 'object';
}
