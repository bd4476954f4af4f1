import type { Stored } from '../../api/objects.ts';
import { rowsIn } from '../../api/values.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { fieldsOf } from '../../fields.ts';

/** URLs that are handed out, of a region and by their names. */
export interface RegionTag {
  readonly region: string;
  readonly urls: Readonly<Record<string, string>>;
}

/** The zone, feed and direct URLs of an object; none of what is not called. */
export function regionTagsOf(entity: ShownEntity, object: Stored): readonly RegionTag[] {
  const regions = new Map<string, Record<string, string>>();
  for (const { name } of fieldsOf(entity).filter(({ place }) => place === 'regionUrls')) {
    for (const { Region, ...urls } of rowsIn(object[name])) {
      const known = regions.get(String(Region)) ?? {};
      regions.set(String(Region), known);
      for (const [title, url] of Object.entries(urls)) if (url !== '') known[title] = String(url);
    }
  }
  return [...regions].map(([region, urls]) => ({ region, urls }));
}
