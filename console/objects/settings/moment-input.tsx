import { Group, Input, Text, TextInput } from '@mantine/core';
import { titleOf } from '../../parts/value-text.ts';
import { boxProps, type InputProps } from './input-props.ts';
import { type MomentParts, momentOf, momentParts } from './moment-parts.ts';

/** Of formats whose times name their offset; others are by the object's time zone. */
const standardOffsets: Readonly<Record<string, string>> = { moment: 'Z' };

/** Chooses a day, and a time of it or the whole of it. */
export function MomentInput(props: InputProps) {
  const { field, value, onChange, isDisabled } = props;
  const text = typeof value === 'string' ? value : '';
  const parts = momentParts(text);
  const { id, disabled: _, ...common } = boxProps(props);
  if (!parts)
    return (
      <TextInput
        {...boxProps(props)}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  const offset = parts.offset || (standardOffsets[field.form.format ?? ''] ?? '');
  const set = (changed: Partial<MomentParts>) => onChange(momentOf({ ...parts, offset, ...changed }));
  return (
    <Input.Wrapper {...common} labelProps={{ htmlFor: id }}>
      <Group gap="xs" wrap="nowrap" mb={5}>
        <TextInput
          id={id}
          type="date"
          flex="1 1 150px"
          disabled={isDisabled}
          error={Boolean(props.error)}
          value={parts.day}
          onChange={({ currentTarget }) => set({ day: currentTarget.value })}
        />
        <TextInput
          type="time"
          flex="1 1 110px"
          aria-label={`${titleOf(field.name)}: time`}
          title="Empty for the whole day"
          step={parts.time.length > 'hh:mm'.length ? 1 : 60}
          disabled={isDisabled || parts.day === ''}
          value={parts.time}
          onChange={({ currentTarget }) => set({ time: currentTarget.value })}
        />
        {offset !== '' && (
          <Text size="sm" c="dimmed">
            {offset === 'Z' ? 'UTC' : `UTC${offset}`}
          </Text>
        )}
      </Group>
    </Input.Wrapper>
  );
}
