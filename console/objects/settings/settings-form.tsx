import { Anchor, Group, NavLink, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Search, Undo2 } from 'lucide-react';
import { lazy, memo, type ReactNode, Suspense, use, useEffect, useMemo, useState } from 'react';
import { alertKey } from '../../alerts/alert-key.ts';
import type { Stored, Values } from '../../api/objects.ts';
import type { ShownEntity, ShownField } from '../../field-tables.ts';
import { fieldsOf, sections } from '../../fields.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { CurrencyContext, FieldValue } from '../../parts/field-value.tsx';
import { titleOf, valueText } from '../../parts/value-text.ts';
import { mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { ApiName } from './api-name.tsx';
import { isSame } from './draft.ts';
import { isNeeded } from './field-form.ts';
import { FieldGrid } from './field-grid.tsx';
import { FieldInput } from './field-input.tsx';
import { ReadyNote } from './ready-note.tsx';
import { Rotate } from './rotate.tsx';
import classes from './settings-form.module.css';
import { type CheckResult, fieldOfPath, pathInField } from './use-check.ts';

const RuleWords = lazy(async () => ({ default: (await import('../../alerts/rule-words.tsx')).RuleWords }));

interface FormProps {
  readonly entity: ShownEntity;
  readonly values: Values;
  /** As stored; absent for an object that is not there yet. */
  readonly stored?: Stored;
  readonly checked: CheckResult;
  /** The field that a link led to. */
  readonly focused?: string | undefined;
  readonly onChange: (field: string, value: unknown) => void;
  /** What is shown below the sections. */
  readonly children?: ReactNode;
}

/** Places whose values the head or another tab shows. */
const shownElsewhere: readonly ShownField['place'][] = [
  'column',
  'statusString',
  'ownerName',
  'listText',
  'statistic',
  'alertState',
  'dealState',
];

/** Connections of supply and demand, and who uses a list, have a tab of their own, those of deals and floor rules not; what the head shows is not shown again. */
const isElsewhere = ({ side }: ShownEntity, { place, section, presence, references }: ShownField) =>
  shownElsewhere.includes(place) ||
  (section === 'Connections' &&
    place !== 'count' &&
    (side === 'supply' || side === 'demand' || side === 'list')) ||
  // Of an account manager whom the owner has, the name says enough.
  (place === 'manager' && presence === 'derived' && references !== undefined);

function useShownFields(
  { entity, values, stored }: Pick<FormProps, 'entity' | 'values' | 'stored'>,
  isBasic: boolean,
  query: string,
) {
  return useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const isWanted = (field: ShownField) => {
      if (isElsewhere(entity, field) || (!stored && field.presence === 'derived')) return false;
      if (words.length === 0) return !(isBasic && field.isAdvanced) && isNeeded(field, values);
      const text = `${field.name} ${titleOf(field.name)} ${field.help}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const shown = fieldsOf(entity).filter(isWanted);
    return Object.entries(sections)
      .map(([name, help]) => ({ name, help, fields: shown.filter(({ section }) => section === name) }))
      .filter(({ fields }) => fields.length > 0);
  }, [entity, values, stored, isBasic, query]);
}

interface FieldNote {
  readonly fault?: string;
  /** Where in the field's value the fault is. */
  readonly faultPath?: string;
  readonly warning?: string;
}
type FieldNotes = ReadonlyMap<string, FieldNote>;

/** What the server says, by field. */
function saidOf({ faults, warnings }: CheckResult): FieldNotes {
  const texts = new Map<string, FieldNote>();
  for (const { Path, Message } of warnings) texts.set(fieldOfPath(Path), { warning: Message });
  for (const { Path, Message } of faults)
    texts.set(fieldOfPath(Path), { fault: Message, faultPath: pathInField(Path) });
  return texts;
}

interface NavProps {
  readonly shown: ReturnType<typeof useShownFields>;
  readonly values: Values;
  readonly stored: Stored | undefined;
}

function SectionNav({ shown, values, stored }: NavProps) {
  return (
    <nav className={classes.sections} aria-label="Sections">
      {shown.map(({ name, fields }) => (
        <NavLink
          key={name}
          href={`#section-${name}`}
          label={name}
          py={4}
          onClick={(event) => {
            event.preventDefault();
            document.getElementById(`section-${name}`)?.scrollIntoView({ behavior: 'smooth' });
          }}
          rightSection={<Changes fields={fields} values={values} stored={stored} />}
        />
      ))}
    </nav>
  );
}

/** Focuses the box of a field, or where there are several the first. */
function focusOn(field: string): void {
  const box = document.getElementById(`field-${field}`);
  box?.focus();
  if (box && document.activeElement === box) return;
  const first = ':is(button, input, [tabindex="0"])';
  document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"] ${first}`)?.focus();
}

/** The fields of an entity in their sections, the basic ones first, each with what the server says of it. */
export function SettingsForm({ entity, values, stored, checked, focused, onChange, children }: FormProps) {
  const [isAll, setAll] = useLocalStorage({ key: 'bourse-all-fields', defaultValue: false });
  const [query, setQuery] = useState('');
  const isAdvancedFocused = fieldsOf(entity).some(({ name, isAdvanced }) => name === focused && isAdvanced);
  const shown = useShownFields(
    stored ? { entity, values, stored } : { entity, values },
    !(isAll || isAdvancedFocused),
    query,
  );
  const said = useMemo(() => saidOf(checked), [checked]);
  useEffect(() => {
    if (focused) focusOn(focused);
  }, [focused]);
  return (
    <div className={classes.layout}>
      <SectionNav shown={shown} values={values} stored={stored} />
      <Stack gap="xl" maw={760} flex={1} miw={0}>
        <Group justify="space-between" wrap="nowrap">
          <TextInput
            flex={1}
            maw={320}
            aria-label="Find a field"
            placeholder="Find a field"
            leftSection={<Search size={16} />}
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          />
          <Switch
            label="All fields"
            checked={isAll}
            onChange={({ currentTarget }) => setAll(currentTarget.checked)}
          />
        </Group>
        <ReadyNote entity={entity} id={stored?.Id} warnings={checked.warnings} />
        {entity.key === alertKey && (
          <Suspense>
            <RuleWords values={values} />
          </Suspense>
        )}
        {shown.length === 0 && <Text c="dimmed">No fields match.</Text>}
        {shown.map(({ name, help, fields }) => (
          <section key={name} id={`section-${name}`} className={classes.section}>
            <Title order={2} size="h4">
              {name}
            </Title>
            <Text size="sm" c="dimmed" mb="md">
              {help}
            </Text>
            <FieldGrid fields={fields}>
              {(field) => (
                <FieldRow
                  field={field}
                  value={values[field.name]}
                  stored={stored?.[field.name]}
                  isNew={stored === undefined}
                  fault={said.get(field.name)?.fault}
                  faultPath={said.get(field.name)?.faultPath}
                  warning={said.get(field.name)?.warning}
                  onChange={onChange}
                />
              )}
            </FieldGrid>
          </section>
        ))}
        {children}
      </Stack>
    </div>
  );
}

const isChanged = (field: ShownField, values: Values, stored: Values | undefined) =>
  stored !== undefined && !isSame(values[field.name], stored[field.name]);

function Changes({
  fields,
  values,
  stored,
}: {
  fields: readonly ShownField[];
  values: Values;
  stored: Values | undefined;
}) {
  const changes = fields.filter((field) => isChanged(field, values, stored)).length;
  return changes === 0 ? null : (
    <Text size="xs" c="orange" fw={600} aria-label={`${changes} changed`}>
      {changes}
    </Text>
  );
}

interface RowProps {
  readonly field: ShownField;
  readonly value: unknown;
  readonly stored: unknown;
  readonly isNew: boolean;
  readonly fault: string | undefined;
  readonly faultPath: string | undefined;
  readonly warning: string | undefined;
  readonly onChange: (field: string, value: unknown) => void;
}

function DerivedText({ field: { place }, text }: { readonly field: ShownField; readonly text: string }) {
  if (place === 'regionUrls' || place === 'url' || place === 'secret')
    return <CopyText text={text} isSecret={place === 'secret'} />;
  return <Text size="sm">{text || '–'}</Text>;
}

/** What a field is now, where nobody can change it here. */
function DerivedValue({ field, value }: { readonly field: ShownField; readonly value: unknown }) {
  const currency = use(CurrencyContext);
  const rows = Array.isArray(value) && value.some((item) => typeof item === 'object') ? value : undefined;
  const texts: readonly (readonly [string, string])[] = rows
    ? rows.flatMap((row: Values) =>
        Object.entries(row)
          .filter(([name]) => name !== 'Region')
          .map(
            ([name, url]) =>
              [
                rows.length > 1 || name !== field.name ? `${row.Region ?? ''} ${titleOf(name)}` : '',
                String(url),
              ] as const,
          ),
      )
    : [['', valueText(field, value, currency)]];
  return (
    <div>
      <ApiName name={field.name} />
      <Text size="sm" fw={500}>
        {titleOf(field.name)}
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        {field.help}
      </Text>
      {texts.map(([label, text]) => (
        <div key={`${label}${text}`}>
          {label && (
            <Text size="xs" c="dimmed">
              {label}
            </Text>
          )}
          <DerivedText field={field} text={text} />
        </div>
      ))}
      {field.place === 'secret' && <Rotate field={field} />}
    </div>
  );
}

const FieldRow = memo(function FieldRow(props: RowProps) {
  const { field, value, stored, isNew, fault, faultPath, warning, onChange } = props;
  const may = mayChange(useAccount());
  if (field.presence === 'derived') return <DerivedValue field={field} value={value} />;
  const isDifferent = !isNew && !isSame(value, stored);
  const before: ReactNode = isDifferent && (
    <Group gap={6} mt={4}>
      <Text size="xs" c="orange">
        was <FieldValue field={field} value={stored} none="empty" />
      </Text>
      <Anchor component="button" type="button" size="xs" onClick={() => onChange(field.name, stored)}>
        <Undo2 size={12} /> Undo
      </Anchor>
    </Group>
  );
  return (
    <div data-changed={isDifferent || undefined} className={classes.field}>
      <FieldInput
        field={field}
        value={value}
        error={fault}
        errorPath={faultPath}
        isDisabled={!may}
        isRequired={field.presence === 'required'}
        onChange={(next) => onChange(field.name, next)}
      />
      {warning && (
        <Text size="xs" c="orange" mt={4} role="status">
          {warning}
        </Text>
      )}
      {before}
    </div>
  );
});
