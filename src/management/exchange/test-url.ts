import type { Entity } from '../../entities/entity.ts';
import type { TestPass } from './exchange-view.ts';

/** The templates of an entity's URLs at a door, as `{RegionUrl}/vast?zone={Id}&auth={Auth}&ip={ip}`. */
function templatesAt({ fields }: Entity, door: string): string[] {
  return Object.values(fields).flatMap(({ place }) => {
    if (place.kind !== 'regionUrls') return [];
    return Object.values(place.templates).filter((template) => template.startsWith(`{RegionUrl}/${door}?`));
  });
}

/** A URL of an object at a door, with a pass in the place of its credential; its macros stay. */
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
