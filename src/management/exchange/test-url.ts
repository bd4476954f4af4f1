import type { Entity } from '../../entities/entity.ts';
import type { TestPass } from './exchange-view.ts';

/** As `{RegionUrl}/vast?zone={Id}&auth={Auth}&ip={ip}`. */
function templatesAt({ fields }: Entity, door: string): string[] {
  return Object.values(fields).flatMap(({ place }) => {
    if (place.kind !== 'regionUrls') return [];
    return Object.values(place.templates).filter((template) => template.startsWith(`{RegionUrl}/${door}?`));
  });
}

/** With a pass instead of its credential; its macros stay. */
export function testUrl(
  entity: Entity,
  id: number,
  door: string,
  { base, parameter, pass }: TestPass,
): string {
  const [template = ''] = templatesAt(entity, door);
  return template
    .replace('{RegionUrl}', () => base)
    .replace('{Id}', String(id))
    .replace(/(?<=[?&])auth=\{\w+\}/, () => `${parameter}=${pass}`);
}
