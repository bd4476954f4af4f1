import { TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Values } from '../../api/answers.ts';
import { referenceQuery } from '../../api/reference.ts';
import { rowsIn } from '../../api/values.ts';
import { boxProps, type InputProps } from './input-props.ts';

interface Version {
  readonly Major?: string;
  readonly Minor?: string;
}

interface Family {
  readonly Family: string;
  readonly Versions?: readonly Version[];
}

const versionForm = /^(?<family>.*?)(?:\s+(?<major>\d{1,6})(?:\.(?<minor>\d{1,6}))?)?$/;

/** A family as one text for each of its versions: `iOS`, `Android 14`, `Chrome 120.1`. */
const textsOf = ({ Family, Versions }: Values): readonly string[] =>
  rowsIn(Versions).length === 0
    ? [String(Family)]
    : rowsIn(Versions).map(({ Major, Minor }) =>
        [Family, [Major, Minor].filter(Boolean).join('.')].join(' ').trim(),
      );

/** Families of such texts, those of one family together. */
function familiesOf(texts: readonly string[], known: readonly string[]): readonly Family[] {
  const versions = new Map<string, Version[]>();
  for (const text of texts) {
    const {
      family = text,
      major,
      minor,
    } = known.includes(text) ? { family: text } : (versionForm.exec(text)?.groups ?? {});
    const all = versions.get(family) ?? [];
    if (major !== undefined) all.push({ Major: major, ...(minor === undefined ? {} : { Minor: minor }) });
    versions.set(family, all);
  }
  return [...versions].map(([Family, Versions]) =>
    Versions.length === 0 ? { Family } : { Family, Versions },
  );
}

/** Operating systems or browsers, each whole or by version: `Android 14`. */
export function FamiliesInput(props: InputProps) {
  const { field, value, onChange } = props;
  const format = field.form.items?.properties?.Family?.format ?? '';
  const { data = [] } = useQuery(
    referenceQuery(format.startsWith('os') ? 'api/info/os' : 'api/info/browsers'),
  );
  const known = data.map(({ Family }) => Family);
  const { description, ...common } = boxProps(props);
  return (
    <TagsInput
      {...common}
      description={`${description}; for one version, write “${known[0] ?? 'Android'} 14”`}
      data={known}
      clearable
      limit={100}
      value={rowsIn(value).flatMap(textsOf)}
      onChange={(texts) => onChange(familiesOf(texts, known))}
    />
  );
}
