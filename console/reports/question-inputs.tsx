import { Group, MultiSelect, type MultiSelectProps, Select, Text, TextInput } from '@mantine/core';
import { measures, reports } from '../field-tables.ts';
import { useTimeZone } from '../parts/time-zone.ts';
import { titleOf } from '../parts/value-text.ts';
import { periodText, todayIn } from './period.ts';
import type { AskedQuestion } from './question.ts';
import { figuresOf, groupsOf, isStep, type ReportSearch, standard } from './report-search.ts';
import { countedBy, inTheWay, isOnlyByDay, isTogether, useCombinations } from './together.ts';

interface InputsProps {
  readonly search: ReportSearch;
  readonly asked: AskedQuestion;
  readonly onChange: (changed: ReportSearch) => void;
}

const custom = 'custom';

/** The comparisons, as people say them. */
const comparisonLabels: Readonly<Record<string, string>> = {
  Period: 'The previous period',
  Week: 'A week before',
  Month: 'A month before',
  Year: 'A year before',
};

interface PeriodProps extends InputsProps {
  /** Whether figures stand beside those of another time. */
  readonly isCompared?: boolean;
}

/** Which time a report is of, and with which it is compared. */
export function PeriodInputs({ search, asked, onChange, isCompared = true }: PeriodProps) {
  const { question, days, otherZone } = asked;
  const [own] = useTimeZone();
  const [from = '', to = ''] = days;
  const isCustom = search.from !== undefined || search.to !== undefined;
  const setDays = (changed: Pick<ReportSearch, 'from' | 'to'>) =>
    onChange({
      period: undefined,
      from: from || todayIn(question.TimeZone),
      to: to || todayIn(question.TimeZone),
      ...changed,
    });
  const choosePeriod = (value: string | null) =>
    value === custom ? setDays({}) : onChange({ period: value ?? undefined, from: undefined, to: undefined });
  const wished = search.zone ?? own;
  const zones = [...new Set([own, 'UTC', wished])];
  return (
    <Group gap="sm" align="flex-end">
      <Select
        w={134}
        label="Period"
        allowDeselect={false}
        data={[
          ...Object.keys(reports.periods).map((value) => ({ value, label: periodText(value) })),
          { value: custom, label: 'From … to …' },
        ]}
        value={isCustom ? custom : (search.period ?? standard.period)}
        onChange={choosePeriod}
      />
      <TextInput
        label="From"
        type="date"
        value={from}
        max={to}
        onChange={({ currentTarget: { value } }) => value && setDays({ from: value })}
      />
      <TextInput
        label="To"
        type="date"
        value={to}
        min={from}
        onChange={({ currentTarget: { value } }) => value && setDays({ to: value })}
      />
      <Select
        w={150}
        label="Days of"
        allowDeselect={false}
        disabled={otherZone !== undefined}
        title={otherZone && 'For these dimensions and this time, only UTC days are kept.'}
        data={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        value={question.TimeZone}
        onChange={(zone) => onChange({ zone: zone ?? undefined })}
      />
      {isCompared && <Comparison value={question.CompareTo} onChange={onChange} />}
    </Group>
  );
}

interface ComparisonProps extends Pick<InputsProps, 'onChange'> {
  readonly value: string | undefined;
}

function Comparison({ value: chosen, onChange }: ComparisonProps) {
  return (
    <Select
      w={220}
      label="Compared with"
      placeholder="Nothing"
      clearable
      data={Object.keys(reports.comparisons).map((value) => ({
        value,
        label: comparisonLabels[value] ?? value,
      }))}
      value={chosen ?? null}
      onChange={(compare) => onChange({ compare: compare ?? undefined })}
    />
  );
}

/** So that the place to type in goes to a line of its own only where it must. */
const narrowInput = { inputField: { minWidth: 40 } };

/** Names with what they mean; those that cannot be chosen with the reason. */
const optionOf =
  (reasonOf: (name: string) => string | undefined): NonNullable<MultiSelectProps['renderOption']> =>
  ({ option: { value, label } }) => {
    const help = reasonOf(value) ?? measures[value]?.help ?? reports.dimensions[value]?.help ?? '';
    return (
      <div>
        <Text size="sm">{label}</Text>
        {help && (
          <Text size="xs" c="dimmed">
            {help}
          </Text>
        )}
      </div>
    );
  };

const groupsMax = 8;

/** What rows are told apart by: at most one step of time, and dimensions that are counted together. */
export function GroupInput({ search, onChange }: Omit<InputsProps, 'asked'>) {
  const combinations = useCombinations();
  const groups = groupsOf(search);
  const filtered = (search.filter ?? []).map(({ Field }) => Field);
  const reasonOf = (name: string) => {
    if (groups.includes(name)) return undefined;
    // Another step of time takes the place of the one that is there.
    const used = [...groups, ...filtered].filter((one) => !(isStep(one) && isStep(name)));
    if (isTogether(combinations, [...used, name])) return undefined;
    if (isOnlyByDay(combinations, [...used, name])) {
      const by = [...used, name].filter((one) => !isStep(one));
      return `Only days are kept by ${by.map(titleOf).join(', ')}`;
    }
    const others = inTheWay(combinations, used, name).map(titleOf).join(', ');
    return `Not counted together with ${others || used.map(titleOf).join(', ')}`;
  };
  const optionFor = (name: string) => ({
    value: name,
    label: titleOf(name),
    disabled: reasonOf(name) !== undefined,
  });
  const choose = (names: string[]) => {
    const step = names.findLast(isStep);
    const kept = names.filter((name) => !isStep(name) || name === step);
    onChange({ by: kept.join(), sort: undefined });
  };
  return (
    <MultiSelect
      label="By"
      aria-label="Group by"
      placeholder={groups.length === 0 ? 'Nothing: only sums' : undefined}
      data={[
        { group: 'Time', items: reports.steps.map(optionFor) },
        { group: 'Dimensions', items: Object.keys(reports.dimensions).map(optionFor) },
      ]}
      renderOption={optionOf(reasonOf)}
      searchable
      hidePickedOptions
      styles={narrowInput}
      maxValues={groupsMax}
      maxDropdownHeight={360}
      value={[...groups]}
      onChange={choose}
    />
  );
}

export function FiguresInput({ search, onChange }: Omit<InputsProps, 'asked'>) {
  const combinations = useCombinations();
  const used = [...groupsOf(search), ...(search.filter ?? []).map(({ Field }) => Field)];
  const figures = figuresOf(search);
  const reasonOf = (name: string) =>
    countedBy(combinations, used, [name]).includes(name)
      ? undefined
      : `Not counted by ${used
          .filter((one) => !isStep(one))
          .map(titleOf)
          .join(', ')}`;
  return (
    <MultiSelect
      label="Figures"
      data={Object.keys(measures).map((value) => ({
        value,
        label: titleOf(value),
        // What is chosen can be taken back.
        disabled: !figures.includes(value) && reasonOf(value) !== undefined,
      }))}
      renderOption={optionOf(reasonOf)}
      searchable
      hidePickedOptions
      styles={narrowInput}
      maxDropdownHeight={360}
      value={[...figures]}
      onChange={(names) => names.length > 0 && onChange({ figures: names.join() })}
    />
  );
}

/** What of a wish is not kept, and so not shown. */
export function OmissionsNote({ asked: { leftOut, otherZone, question } }: Pick<InputsProps, 'asked'>) {
  const by =
    question.GroupBy.filter((name) => !isStep(name))
      .map(titleOf)
      .join(', ') || 'these filters';
  if (leftOut.length === 0 && otherZone === undefined) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {leftOut.length > 0 && `${leftOut.map(titleOf).join(', ')}: not counted by ${by}, so not shown. `}
      {otherZone &&
        `By ${by}, only UTC days are kept for this time, not days in ${otherZone.replaceAll('_', ' ')}.`}
    </Text>
  );
}
