import { countries } from '../fields/list.ts';
import { choice, flag, gvlId } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { url } from '../fields/text.ts';
import { gdprCountries } from '../reference/gdpr-countries.ts';
import { measurementMacroNames, measurementMacros } from '../reference/measurement-macros.ts';
import { type TcfPurpose, tcfPurposes } from '../reference/tcf-purposes.ts';
import type { StoredValues } from './entity.ts';

const macros = Object.entries(measurementMacros)
  .map(([name, help]) => `{${name}} ${help}`)
  .join('; ');

const measurement = section('Quality', {
  MeasurementUrl: {
    ...url({
      macros: measurementMacroNames,
      help: `URL with which a third party measures the ads of RTB EPs with ThirdPartyPostbidEnable, called when an ad is shown; "" = none. It may contain ${macros}`,
      example: 'https://measure.example/i?a={auction_id}&s={site}&c={creative_id}&p={price_bucket}',
    }),
    // The help explains them.
    macros: [],
  },
});

const enforcement = (purpose: string) =>
  choice({
    codes: { 0: 'Full', 1: 'Basic: without the bits of vendors', 2: 'Off' },
    help: `How purpose ${purpose} of the TCF is enforced: ${tcfPurposes[Number(purpose) as TcfPurpose]}`,
  });

type EnforcementName = `EnforcePurpose${TcfPurpose}`;

const enforcements = Object.fromEntries(
  Object.keys(tcfPurposes).map((purpose) => [`EnforcePurpose${purpose}`, enforcement(purpose)]),
) as Record<EnforcementName, ReturnType<typeof enforcement>>;

/** Like the fields of an entity; a team has one set of them. */
export const teamSettings = {
  ...measurement,
  ...section('Privacy', {
    GvlId: gvlId({
      help: "The exchange's own vendor ID in the Global Vendor List: what a viewer does not permit it goes to no partner; 0 = nobody asks",
    }),
    GdprDefault: flag({
      help: '1 = GDPR applies to viewers of GdprCountries if a request does not say whether it does; 0 = it applies only if a request says so',
    }),
    GdprCountries: {
      ...countries({
        help: 'Countries of viewers to whom GdprDefault applies; left alone, those of the EEA, the United Kingdom and Switzerland',
        example: [{ CC: 'DE' }, { CC: 'CH' }],
      }),
      omitted: gdprCountries,
    },
    ...enforcements,
    UserIdsNeedPurpose4: flag({
      help: '1 = user IDs leave only with consent to purpose 4; 0 = any of the purposes 2 to 10 permits them',
    }),
    PurposeOneCountries: countries({
      help: "Publishers' countries whose law asks no consent to purpose 1 if a consent string says that it was not shown (PurposeOneTreatment); none = consent is always asked",
      example: [{ CC: 'DE' }],
    }),
  }),
};

export type TeamSettings = StoredValues<typeof teamSettings>;

/** Of a team that has set nothing. */
export const defaultTeamSettings = Object.fromEntries(
  Object.entries(teamSettings).map(([name, { omitted }]) => [name, omitted]),
) as TeamSettings;
