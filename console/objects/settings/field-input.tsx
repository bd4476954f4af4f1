import {
  MultiSelect,
  NumberInput,
  Select,
  Skeleton,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import type { ShownField } from '../../field-tables.ts';
import { wordsAround } from '../../parts/sentence.ts';
import { isFlag, titleOf } from '../../parts/value-text.ts';
import { ApiName } from './api-name.tsx';
import { FamiliesInput } from './families-input.tsx';
import classes from './field-input.module.css';
import { FlightsInput } from './flights-input.tsx';
import { HoursInput } from './hours-input.tsx';
import { boxProps, commonProps, type InputProps } from './input-props.ts';
import { ListedInput } from './listed-input.tsx';
import { MomentInput } from './moment-input.tsx';
import { ObjectInput } from './object-input.tsx';
import { ObjectsInput } from './objects-input.tsx';
import { ZoneInput } from './zone-input.tsx';

const FilterRows = lazy(async () => ({ default: (await import('./filters-input.tsx')).FiltersInput }));

const longText = 1024;

/** From the text of a choice to the value: codes are numbers, words are texts. */
const readerOf =
  ({ form }: ShownField) =>
  (code: string): string | number =>
    (form.items ?? form).type === 'string' ? code : Number(code);

const codes = ({ form, labels = {} }: ShownField) => {
  const known = form.enum ?? form.items?.enum ?? Object.keys(labels).map(Number);
  return known
    .filter((code) => code !== '')
    .map((code) => ({ value: String(code), label: labels[String(code)] ?? titleOf(String(code)) }));
};

function FlagInput(props: InputProps) {
  const { value, onChange } = props;
  return (
    <Switch
      {...commonProps(props)}
      checked={value === 1}
      onChange={({ currentTarget }) => onChange(currentTarget.checked ? 1 : 0)}
    />
  );
}

function CodeInput(props: InputProps) {
  const { field, value, onChange } = props;
  return (
    <Select
      {...boxProps(props)}
      data={codes(field)}
      allowDeselect={false}
      clearable={field.form.enum?.includes('') ?? false}
      searchable={codes(field).length > 8}
      value={value === null || value === undefined || value === '' ? null : String(value)}
      onChange={(code) => onChange(readerOf(field)(code ?? ''))}
    />
  );
}

function CodesInput(props: InputProps) {
  const { field, value, onChange } = props;
  const chosen = Array.isArray(value) ? value.map(String) : [];
  return (
    <MultiSelect
      {...boxProps(props)}
      data={codes(field)}
      searchable
      clearable
      hidePickedOptions
      value={chosen}
      onChange={(all) => onChange(all.map((code) => readerOf(field)(code)))}
    />
  );
}

function FiltersInput(props: InputProps) {
  return (
    <Suspense fallback={<Skeleton h={82} />}>
      <FilterRows {...props} />
    </Suspense>
  );
}

function NumberField(props: InputProps) {
  const { field, value, onChange } = props;
  return (
    <NumberInput
      {...boxProps(props)}
      hideControls
      thousandSeparator=","
      allowDecimal={field.form.type === 'number'}
      suffix={field.unit ? ` ${field.unit}` : ''}
      value={typeof value === 'number' ? value : ''}
      onChange={(number) => onChange(number === '' ? 0 : number)}
    />
  );
}

function TextField(props: InputProps) {
  const { field, value, onChange } = props;
  const { maxLength = 0, format } = field.form;
  const text = typeof value === 'string' ? value : '';
  if (maxLength > longText && format !== 'url') {
    return (
      <Textarea
        {...boxProps(props)}
        autosize
        minRows={3}
        maxRows={16}
        ff="monospace"
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...boxProps(props)}
      type={format === 'day' ? 'date' : 'text'}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function TextsInput(props: InputProps) {
  const { value, onChange } = props;
  return (
    <TagsInput
      {...boxProps(props)}
      clearable
      splitChars={[',', ' ', '\n']}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(all) => onChange(all)}
    />
  );
}

/** The inputs of formats that people choose rather than type. */
const byFormat: Readonly<Record<string, (props: InputProps) => ReactNode>> = {
  country: ListedInput,
  'iab-category': ListedInput,
  time: MomentInput,
  moment: MomentInput,
  'time-zone': ZoneInput,
  'week-hours': HoursInput,
};

/** Those of lists of objects, by a member that these have. */
const byMember = [
  ['Family', FamiliesInput],
  ['Operator', FiltersInput],
  ['Start', FlightsInput],
] as const;

function inputOf(field: ShownField): (props: InputProps) => ReactNode {
  const { form, labels, references } = field;
  const isList = form.type === 'array';
  const item = form.items ?? form;
  if (references) return ObjectsInput;
  const [, ofRows] = byMember.find(([member]) => item.properties?.[member]) ?? [];
  if (ofRows) return ofRows;
  const chosen = byFormat[item.format ?? item.properties?.CC?.format ?? ''];
  if (chosen) return chosen;
  if (isFlag(field)) return FlagInput;
  if (labels || item.enum) return isList ? CodesInput : CodeInput;
  if (form.type === 'object' || item.type === 'object') return ObjectInput;
  if (isList) return TextsInput;
  return form.type === 'string' ? TextField : NumberField;
}

/** The input that fits a field, with its title, its name in the API, what it means, and what the server says of its value. */
export function FieldInput(props: InputProps) {
  const Input = inputOf(props.field);
  const { phrase } = props.field;
  if (phrase) {
    const [before, after] = wordsAround(phrase);
    return (
      <div className={classes.phrase}>
        <span>{before}</span>
        <Input {...props} />
        <span>{after}</span>
      </div>
    );
  }
  return (
    <div>
      <ApiName name={props.field.name} />
      <Input {...props} />
    </div>
  );
}
