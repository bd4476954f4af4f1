import { numberAt, sextetBits } from './bits.ts';

export type OptOut = 'sale' | 'sharing' | 'targeted_advertising';

/** What a user of the United States chose. */
export interface UsChoices {
  readonly optOuts: readonly OptOut[];
  readonly hasKnownChild: boolean;
  readonly hasGpc: boolean;
}

/** Where a section's core keeps what is asked of it: the places of fields of two bits. */
interface Layout {
  readonly id: number;
  /** Of the whole core. */
  readonly bits: number;
  readonly optOuts: Readonly<Partial<Record<OptOut, number>>>;
  readonly children: { readonly at: number; readonly fields: number };
  readonly hasGpc: boolean;
  /** Undefined where the core begins with the version of the agreement rather than its own. */
  readonly versions?: readonly number[];
}

const fieldWidth = 2;
const first = [1];
const choices = (sale: number) => ({ sale, targeted_advertising: sale + fieldWidth });
const children = (at: number, fields: number) => ({ at, fields });
const national = { sale: 18, sharing: 20, targeted_advertising: 22 };
const both = [1, 2];

/** GPP, `Sections/US-National` and `Sections/US-States`. Of two rows for a section, the longer one that fits is right. */
const layouts: readonly Layout[] = [
  { id: 7, versions: both, bits: 70, optOuts: national, children: children(56, 3), hasGpc: true },
  { id: 7, versions: both, bits: 60, optOuts: national, children: children(48, 2), hasGpc: true },
  {
    id: 8,
    versions: first,
    bits: 46,
    optOuts: { sale: 12, sharing: 14 },
    children: children(34, 2),
    hasGpc: true,
  },
  { id: 9, versions: first, bits: 40, optOuts: choices(12), children: children(32, 1), hasGpc: false },
  { id: 10, versions: first, bits: 38, optOuts: choices(12), children: children(30, 1), hasGpc: true },
  { id: 11, versions: first, bits: 42, optOuts: choices(14), children: children(34, 1), hasGpc: false },
  { id: 12, versions: first, bits: 44, optOuts: choices(12), children: children(32, 3), hasGpc: true },
  { id: 13, versions: first, bits: 46, optOuts: choices(12), children: children(32, 3), hasGpc: false },
  { id: 14, versions: first, bits: 46, optOuts: choices(12), children: children(32, 3), hasGpc: true },
  { id: 15, versions: first, bits: 52, optOuts: choices(12), children: children(38, 3), hasGpc: true },
  { id: 16, versions: first, bits: 42, optOuts: choices(12), children: children(32, 1), hasGpc: true },
  { id: 17, versions: first, bits: 52, optOuts: choices(12), children: children(34, 5), hasGpc: true },
  { id: 18, versions: first, bits: 42, optOuts: choices(14), children: children(34, 1), hasGpc: true },
  { id: 19, versions: first, bits: 42, optOuts: choices(12), children: children(32, 1), hasGpc: true },
  { id: 20, versions: first, bits: 46, optOuts: choices(12), children: children(32, 3), hasGpc: true },
  { id: 21, versions: first, bits: 54, optOuts: choices(12), children: children(36, 5), hasGpc: true },
  { id: 22, versions: first, bits: 42, optOuts: choices(12), children: children(32, 1), hasGpc: true },
  { id: 23, versions: first, bits: 42, optOuts: choices(12), children: children(32, 1), hasGpc: true },
  { id: 24, bits: 22, optOuts: choices(16), children: children(20, 0), hasGpc: true },
  { id: 25, bits: 24, optOuts: choices(16), children: children(20, 1), hasGpc: false },
  { id: 26, bits: 24, optOuts: choices(16), children: children(20, 1), hasGpc: false },
  { id: 27, bits: 24, optOuts: choices(16), children: children(20, 1), hasGpc: false },
];

const layoutsById = Map.groupBy(layouts, ({ id }) => id);
export const usSectionIds: readonly number[] = [...layoutsById.keys()];

const optedOut = 1;
const gpcSubsection = 1;
const versionWidth = 6;

/** Subsections begin with their kind, in two bits. */
const saysGpc = (subsection: string) =>
  numberAt(subsection, 0, 2) === gpcSubsection && numberAt(subsection, 2, 1) === 1;

/** Undefined if the text is no such section, is cut off, or of a later version, whose fields may be anywhere. */
export function readUsSection(id: number, text: string): UsChoices | undefined {
  const parts = text.split('.');
  // For the sections without a version the specification has a header, which IAB's own encoder leaves out.
  const hasHeader =
    layoutsById.get(id)?.[0]?.versions === undefined && numberAt(text, 0, versionWidth) === id;
  const [core = '', ...subsections] = hasHeader ? parts.slice(1) : parts;
  const layout = layoutsById.get(id)?.find(({ bits }) => bits <= core.length * sextetBits);
  if (layout === undefined) return undefined;
  const { versions, optOuts, children: child } = layout;
  if (versions?.includes(numberAt(core, 0, versionWidth)) === false) return undefined;
  const fieldAt = (at: number) => numberAt(core, at, fieldWidth);
  return {
    optOuts: (['sale', 'sharing', 'targeted_advertising'] as const).filter((kind) => {
      const at = optOuts[kind];
      return at !== undefined && fieldAt(at) === optedOut;
    }),
    // 1 (no consent) and 2 (consent) both say that the viewer is a child; 0 says that nobody knows of one.
    hasKnownChild: numberAt(core, child.at, child.fields * fieldWidth) !== 0,
    hasGpc: layout.hasGpc && subsections.some(saysGpc),
  };
}
