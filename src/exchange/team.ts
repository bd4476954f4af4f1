import type { TeamSettings } from '../entities/team-settings.ts';
import { type TcfPurpose, tcfPurposes } from '../reference/tcf-purposes.ts';

/** `basic`: purposes count, bits of vendors do not. `off`: the purpose is permitted. */
export type PurposeEnforcement = 'full' | 'basic' | 'off';

export interface ConsentSettings {
  /** Our own ID in the Global Vendor List: what it is not permitted goes to nobody; 0 = not asked. */
  readonly gvlId: number;
  /** Countries of viewers to whom GDPR applies if a request does not say; none if it must. */
  readonly gdprCountries: ReadonlySet<string>;
  readonly enforcement: Readonly<Record<TcfPurpose, PurposeEnforcement>>;
  /** Else any of the purposes 2 to 10 permits them. */
  readonly userIdsNeedPurpose4: boolean;
  /** Publishers' countries where `PurposeOneTreatment` stands for consent to purpose 1. */
  readonly purposeOneCountries: ReadonlySet<string>;
}

/** A team's settings, compiled. */
export interface Team {
  /** Third-party measurement, with macros (`measurement-macros.ts`); `""` = none. */
  readonly measurementUrl: string;
  readonly consent: ConsentSettings;
}

const enforcements: readonly PurposeEnforcement[] = ['full', 'basic', 'off'];

function enforcementOf(settings: TeamSettings): ConsentSettings['enforcement'] {
  const purposes = Object.keys(tcfPurposes).map(Number) as TcfPurpose[];
  const rows = purposes.map((purpose) => [
    purpose,
    enforcements[settings[`EnforcePurpose${purpose}`]] ?? 'full',
  ]);
  return Object.fromEntries(rows) as ConsentSettings['enforcement'];
}

export function teamOf(settings: TeamSettings): Team {
  return {
    measurementUrl: settings.MeasurementUrl,
    consent: {
      gvlId: settings.GvlId,
      gdprCountries: new Set(settings.GdprDefault === 1 ? settings.GdprCountries : []),
      enforcement: enforcementOf(settings),
      userIdsNeedPurpose4: settings.UserIdsNeedPurpose4 === 1,
      purposeOneCountries: new Set(settings.PurposeOneCountries),
    },
  };
}
