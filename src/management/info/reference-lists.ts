import { adPositions } from '../../reference/ad-positions.ts';
import { countries } from '../../reference/countries.ts';
import { creativeAttributes } from '../../reference/creative-attributes.ts';
import { deviceTypes } from '../../reference/device-types.ts';
import { iabCategories } from '../../reference/iab-categories.ts';
import { linearities } from '../../reference/linearities.ts';
import { placements } from '../../reference/placements.ts';
import { roles } from '../../reference/roles.ts';
import { browsers, operatingSystems } from '../../reference/user-agent-families.ts';
import type { Links } from '../present.ts';

export interface ReferenceList {
  readonly name: string;
  readonly help: string;
  /** False: our extension (reference, "Resources"). */
  readonly documented: boolean;
  readonly entries: (links: Links) => readonly object[];
}

function list(name: string, help: string, entries: readonly object[], documented = false): ReferenceList {
  return { name, help, documented, entries: () => entries };
}

export const referenceLists: readonly ReferenceList[] = [
  list(
    'countries',
    'Countries by ISO 3166-1 alpha-2 code, with the codes of old IP databases',
    countries,
    true,
  ),
  list('iabcategories', 'Categories of the IAB Content Taxonomy 1.0', iabCategories, true),
  list('os', 'Operating systems for targeting', operatingSystems),
  list('browsers', 'Browsers for targeting', browsers),
  list('devicetypes', 'Device types (AdCOM)', deviceTypes),
  list('adpositions', 'Positions on screen (AdCOM)', adPositions),
  list('linearities', 'Linearity of a video', linearities),
  list('placements', 'Kinds of video placement', placements),
  list(
    'creativeattributes',
    'Creative attributes (AdCOM); 500 and over are vendor-specific',
    creativeAttributes,
  ),
  list('roles', 'Roles of users', roles),
  {
    name: 'regions',
    help: 'Regions of this installation, as in ZoneUrls',
    documented: false,
    entries: ({ regions }) => regions.map(({ name: Region, url: Url }) => ({ Region, Url })),
  },
];
