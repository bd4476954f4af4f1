import { Input } from '@mantine/core';
import { itemsIn } from '../../api/values.ts';
import { Filters } from '../../reports/filters.tsx';
import { isFilter } from '../../reports/report-search.ts';
import { commonProps, type InputProps } from './input-props.ts';

/** What values are looked for in, to choose from: all that was counted. */
const question = {
  Period: 'Last7Days',
  TimeZone: 'UTC',
  GroupBy: [],
  Measures: ['Requests'],
  Filters: [],
  Total: 1,
} as const;

/** Conditions on what is counted, chosen as in reports. */
export function FiltersInput(props: InputProps) {
  const { value, onChange, isDisabled } = props;
  const { id, label, description, error } = commonProps(props);
  const filter = itemsIn(value).filter(isFilter);
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div" id={id}>
      <fieldset disabled={isDisabled} style={{ border: 0, margin: '6px 0 0', padding: 0 }}>
        <legend className="visually-hidden">{label}</legend>
        <Filters
          search={{ filter, by: '' }}
          question={question}
          onChange={(changed) => onChange(changed.filter ?? [])}
        />
      </fieldset>
    </Input.Wrapper>
  );
}
