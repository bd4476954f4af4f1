/** Name of the table of an entity's objects (or of users), from its key: `DspVastTag` → `dsp_vast_tag`. */
export function tableName(key: string): string {
  return key.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** The table of an entity's objects, as Kysely types it. */
export function tableOf(key: string): 'object' {
  return tableName(key) as 'object';
}
