import { settingsFiller } from '../../src/entities/filled-settings.ts';
import type { ExchangeKind, SettingsOf } from '../../src/entities/kinds.ts';
import { entityOf } from '../../src/entities/registry.ts';

/** The settings of an object for which only these were sent. */
export function settingsOf<K extends ExchangeKind>(
  kind: K,
  sent: Readonly<Record<string, unknown>> = {},
): SettingsOf<K> {
  return settingsFiller(entityOf(kind))(sent) as SettingsOf<K>;
}
