import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { referenceQuery } from '../../api/reference.ts';
import { hasMembers } from '../../api/values.ts';
import { boxProps, type InputProps } from './input-props.ts';

type Entry = Readonly<Record<string, unknown>>;

/** How the values of a format are listed: where, and which members say the value and its name. */
const lists = {
  country: { path: 'api/info/countries', value: 'CC', label: 'Country' },
  'iab-category': { path: 'api/info/iabcategories', value: 'Code', label: 'Name' },
} as const;

/** Chooses values that the server lists: countries, categories. */
export function ListedInput(props: InputProps) {
  const { field, value, onChange } = props;
  const item = field.form.items ?? field.form;
  const isObject = item.type === 'object';
  const format = item.format ?? item.properties?.CC?.format;
  const { path, value: member, label } = lists[format === 'country' ? 'country' : 'iab-category'];
  const { data = [] }: { data?: readonly Entry[] } = useQuery(referenceQuery(path));
  const unique = new Map(data.map((entry) => [String(entry[member]), String(entry[label])]));
  const options = [...unique].map(([code, text]) => ({ value: code, label: `${text} (${code})` }));
  const codeOf = (one: unknown) => String(hasMembers(one) ? one[member] : one);
  if (field.form.type !== 'array') {
    return (
      <Select
        {...boxProps(props)}
        data={options}
        searchable
        clearable
        limit={100}
        value={value ? String(value) : null}
        onChange={(code) => onChange(code ?? '')}
      />
    );
  }
  const chosen = Array.isArray(value) ? value : [];
  return (
    <MultiSelect
      {...boxProps(props)}
      data={options}
      searchable
      clearable
      hidePickedOptions
      limit={100}
      value={chosen.map(codeOf)}
      onChange={(all) =>
        onChange(all.map((code) => (isObject ? { [member]: code, [label]: unique.get(code) ?? code } : code)))
      }
    />
  );
}
