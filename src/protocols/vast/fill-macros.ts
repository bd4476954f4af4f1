/** Of the IAB's list of VAST macros; `""` = not known. */
export type VastMacroValues = Readonly<
  Record<'REGULATIONS' | 'GDPRCONSENT' | 'GPPSTRING' | 'GPPSECTIONID' | 'LIMITADTRACKING', string>
>;

/** Also URL-encoded. A CDATA section may hold nothing but such a name. */
const macro =
  /(?<!<!\[CDATA)(?:\[|%5[Bb])(REGULATIONS|GDPRCONSENT|GPPSTRING|GPPSECTIONID|LIMITADTRACKING)(?:\]|%5[Dd])/g;

/** URL-encoded. What is not known stays for the player, which may know. */
export function fillVastMacros(text: string, values: VastMacroValues): string {
  return text.replace(
    macro,
    (whole, name: keyof VastMacroValues) => encodeURIComponent(values[name]) || whole,
  );
}
