import { entities as shown, measures as shownMeasures, reports as shownReports } from 'virtual:field-tables';
import type { OnlyIf, Place, Presence } from '../src/fields/field.ts';
import type { SectionName } from '../src/fields/section-names.ts';
import type { Unit } from '../src/reference/units.ts';

/** What a value may be, as JSON Schema says it. */
export interface Form {
  readonly type?: 'string' | 'integer' | 'number' | 'array' | 'object';
  readonly enum?: readonly (number | string)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly items?: Form;
  readonly properties?: Readonly<Record<string, Form>>;
}

/** A row of an entity's field table, as the console needs it. */
export interface ShownField {
  readonly name: string;
  readonly presence: Presence;
  readonly section: SectionName;
  readonly isAdvanced: boolean;
  readonly help: string;
  readonly form: Form;
  readonly place: Place['kind'];
  readonly inArray: boolean;
  readonly onlyInSingle: boolean;
  /** Whether partners see it of what is theirs. */
  readonly isForOwner?: true;
  /** Whether no answer shows it. */
  readonly isWriteOnly?: true;
  /** Whether it holds credentials, which the history leaves out. */
  readonly isConfidential?: true;
  /** Its part of a sentence of neighbours; `{}` is its value. */
  readonly phrase?: string;
  readonly unit?: Unit;
  readonly labels?: Readonly<Record<string, string>>;
  readonly omitted?: unknown;
  /** When it has an effect at all; absent = always. */
  readonly onlyIf?: OnlyIf;
  /** Entity whose objects it names by ID. */
  readonly references?: string;
  readonly macros?: readonly string[];
}

/** What a value needs to be read by people. */
export type ValueForm = Pick<ShownField, 'form' | 'labels' | 'unit' | 'references'>;

/** What lists show besides the fields, like `Today.Revenue`. */
export interface ShownFigure extends ValueForm {
  readonly name: string;
  readonly help: string;
  /** Whose objects have it. */
  readonly sides: readonly ShownEntity['side'][];
}

/** An entity, as the console needs it. */
export interface ShownEntity {
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly wrapper: string;
  readonly path: string;
  readonly side: 'supply' | 'demand' | 'deal' | 'floor' | 'account' | 'list' | 'label';
  readonly owner?: { readonly entity: string; readonly field: string };
  /** The fields that people know an object by, its owner's among them. */
  readonly knownBy: readonly string[];
  /** Whether its settings may be without the effect that they seem to have. */
  readonly hasSettingWarnings?: true;
  /** Whether its objects may be not ready to serve. */
  readonly isServing?: true;
}

/** Every entity, in the order of the registry. */
export const entities: readonly ShownEntity[] = shown;

/** What a figure says, in which unit, of which other one it is a share, and whether less of it is better. */
export interface ShownMeasure {
  readonly help: string;
  readonly unit?: Unit;
  readonly per?: string;
  readonly isBurden?: true;
  /** Whose partners see it. */
  readonly seenBy?: readonly string[];
}
export type ShownMeasures = Readonly<Record<string, ShownMeasure>>;

export const measures: ShownMeasures = shownMeasures;

/** A dimension of reports: an account by its ID, an object by kind and ID, or a text, code or reason. */
export interface ShownDimension {
  readonly help: string;
  /** Whose partners see it. */
  readonly seenBy?: readonly string[];
  /** "not known" in other words, and why. */
  readonly unknown?: { readonly text: string; readonly help: string };
  readonly shows:
    | { readonly account: string }
    | { readonly objects: readonly string[]; readonly kindAs: string }
    | 'text'
    | 'number'
    | 'reason';
}

export interface ShownReports {
  /** Steps of time, the shortest first. */
  readonly steps: readonly string[];
  readonly dimensions: Readonly<Record<string, ShownDimension>>;
  /** Periods that move on with time, each with what it is. */
  readonly periods: Readonly<Record<string, string>>;
  readonly comparisons: Readonly<Record<string, string>>;
}

export const reports: ShownReports = shownReports;

const byKey = new Map(entities.map((entity) => [entity.key, entity]));

/** The entity of that key; undefined for what is none. */
export const entityOf = (key: string): ShownEntity | undefined => byKey.get(key);
