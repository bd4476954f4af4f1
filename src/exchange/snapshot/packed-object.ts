import type { FormerSecrets } from '../../entities/former-secrets.ts';
import { type ExchangeKind, type SettingsOf, servedKindNames } from '../../entities/kinds.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import type { FormerZone } from '../../shared/limit-days.ts';
import type { ConfigurationObject, ServedObject } from '../configuration.ts';
import type { ObjectLimits } from './exchange-object.ts';
import type { Form } from './forms.ts';
import type { Location, Segment } from './segments.ts';
import { limitsOf, noLimits } from './stored-settings.ts';

/** Numbers before an object's texts; its limits follow. */
const places = { bytes: 0, form: 1, id: 2, teamId: 3, ownerId: 4, status: 5, settingsBytes: 6 } as const;
const firstLimit = Object.keys(places).length;
const limitNames = Object.keys(noLimits) as (keyof ObjectLimits)[];
const headNumbers = firstLimit + limitNames.length;
const headBytes = headNumbers * Float64Array.BYTES_PER_ELEMENT;
const noOwner = -1;

/** Settings that differ from the usual: place and value alternating, places below 0 without a value. */
function settingsText(settings: Readonly<Record<string, unknown>>, { names, usualTexts }: Form): string {
  let text = '[';
  for (const [place, name] of names.entries()) {
    const value = JSON.stringify(ownMember(settings, name));
    if (value === usualTexts[place]) continue;
    if (text.length > 1) text += ',';
    text += value === undefined ? `${-1 - place}` : `${place},${value}`;
  }
  return `${text}]`;
}

function readSettings(text: string, { names, usual }: Form): Readonly<Record<string, unknown>> {
  const settings: Record<string, unknown> = { ...usual };
  const values = JSON.parse(text) as unknown[];
  for (let at = 0; at < values.length; at += 1) {
    const place = values[at] as number;
    if (place < 0) {
      setOwnMember(settings, names[-1 - place] as string, undefined);
      continue;
    }
    at += 1;
    setOwnMember(settings, names[place] as string, values[at]);
  }
  return settings;
}

/** What objects have besides settings. */
type Rest = readonly [
  textRevision: number,
  formerSecrets: FormerSecrets | 0,
  formerZones: readonly FormerZone[] | 0,
  ...ids: (readonly number[])[],
];

function numberAt({ segment, at }: Location, place: number): number {
  return segment.numbers[at / Float64Array.BYTES_PER_ELEMENT + place] as number;
}

function restOf(location: Location): Rest {
  const { segment, at } = location;
  const start = at + headBytes + numberAt(location, places.settingsBytes);
  return JSON.parse(segment.bytes.toString('utf8', start, at + numberAt(location, places.bytes))) as Rest;
}

const isServed = (object: ConfigurationObject): object is ServedObject =>
  (servedKindNames as readonly string[]).includes(object.entity);

/**
 * Its values lie in shared memory as bytes: a tenth of JavaScript's. Each access decodes them again; see `plainObject`.
 * A class, so that all share their form.
 */
export class PackedObject implements ConfigurationObject {
  readonly #form: Form;
  #segment: Segment;
  #at: number;

  constructor(form: Form, { segment, at }: Location) {
    this.#form = form;
    this.#segment = segment;
    this.#at = at;
  }

  get location(): Location {
    return { segment: this.#segment, at: this.#at };
  }

  isIn(segment: Segment): boolean {
    return this.#segment === segment;
  }

  /** For the same bytes at another place: values never change. */
  moveTo({ segment, at }: Location): void {
    this.#segment = segment;
    this.#at = at;
  }

  get entity(): ExchangeKind {
    return this.#form.entity;
  }

  get id(): number {
    return numberAt(this.location, places.id);
  }

  get teamId(): number {
    return numberAt(this.location, places.teamId);
  }

  get ownerId(): number | undefined {
    const id = numberAt(this.location, places.ownerId);
    return id === noOwner ? undefined : id;
  }

  get status(): number {
    return numberAt(this.location, places.status);
  }

  get bytes(): number {
    return numberAt(this.location, places.bytes);
  }

  get settings(): SettingsOf<ExchangeKind> {
    const start = this.#at + headBytes;
    const end = start + numberAt(this.location, places.settingsBytes);
    return readSettings(
      this.#segment.bytes.toString('utf8', start, end),
      this.#form,
    ) as SettingsOf<ExchangeKind>;
  }

  /** Read without decoding: they are asked of all objects. */
  get limits(): ObjectLimits {
    const location = this.location;
    const limits = { ...noLimits } as { -readonly [Name in keyof ObjectLimits]: ObjectLimits[Name] };
    let isLimited = false;
    for (let place = 0; place < limitNames.length; place += 1) {
      const limit = numberAt(location, firstLimit + place);
      isLimited ||= limit !== 0;
      limits[limitNames[place] as keyof ObjectLimits] = limit;
    }
    return isLimited ? limits : noLimits;
  }

  get connections(): Readonly<Record<string, readonly number[]>> {
    const [, , , ...ids] = restOf(this.location);
    const connections: Record<string, readonly number[]> = {};
    for (const [place, field] of this.#form.fields.entries())
      setOwnMember(connections, field, ids[place] ?? []);
    return connections;
  }

  get formerSecrets(): FormerSecrets | undefined {
    return restOf(this.location)[1] || undefined;
  }

  get formerZones(): readonly FormerZone[] | undefined {
    return restOf(this.location)[2] || undefined;
  }

  get textRevision(): number {
    return restOf(this.location)[0];
  }
}

export function plainObject<O extends ConfigurationObject>(object: O): O {
  if (!(object instanceof PackedObject)) return object;
  const { entity, id, teamId, ownerId, status, settings, connections, textRevision } = object;
  const { formerSecrets, formerZones } = object;
  return {
    entity,
    id,
    teamId,
    ownerId,
    status,
    settings,
    connections,
    textRevision,
    ...(formerSecrets && { formerSecrets }),
    ...(formerZones && { formerZones }),
  } as ConfigurationObject as O;
}

export function packObject(
  object: ConfigurationObject,
  form: Form,
  take: (bytes: number) => Location,
): PackedObject {
  const { id, teamId, ownerId = noOwner, status, connections } = object;
  const { textRevision = 0, formerSecrets = 0, formerZones = 0 } = object;
  const settings = Buffer.from(settingsText(object.settings, form));
  const ids = form.fields.map((field) => ownMember(connections, field) ?? []);
  const rest = Buffer.from(JSON.stringify([textRevision, formerSecrets, formerZones, ...ids] satisfies Rest));
  const bytes = headBytes + settings.length + rest.length;
  const location = take(bytes);
  const { segment, at } = location;
  const head: Record<keyof typeof places, number> = {
    bytes,
    form: form.number,
    id,
    teamId,
    ownerId,
    status,
    settingsBytes: settings.length,
  };
  const limits = isServed(object) ? limitsOf(object) : noLimits;
  const numbers = [
    ...Object.keys(places).map((name) => head[name as keyof typeof places]),
    ...limitNames.map((name) => limits[name]),
  ];
  segment.numbers.set(numbers, at / Float64Array.BYTES_PER_ELEMENT);
  settings.copy(segment.bytes, at + headBytes);
  rest.copy(segment.bytes, at + headBytes + settings.length);
  return new PackedObject(form, location);
}

export function formNumberAt(location: Location): number {
  return numberAt(location, places.form);
}
