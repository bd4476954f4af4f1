import { Group, Input, Text, TextInput } from '@mantine/core';
import { titleOf } from '../../parts/value-text.ts';
import { boxProps, type InputProps } from './input-props.ts';
import { type MomentParts, momentOf, momentParts } from './moment-parts.ts';

/** Of formats whose times name their offset; others are by the object's time zone. */
const standardOffsets: Readonly<Record<string, string>> = { moment: 'Z' };

interface MomentBoxesProps {
  /** Of both boxes. */
  readonly label: string;
  readonly id?: string;
  readonly text: string;
  /** Where the text names none. */
  readonly standardOffset?: string;
  readonly isDisabled: boolean;
  readonly hasError: boolean;
  readonly size?: 'xs';
  readonly onChange: (text: string) => void;
}

/** A day, and a time of it or the whole of it; a text that is neither is edited as it is. */
export function MomentBoxes({ label, id, text, standardOffset = '', ...props }: MomentBoxesProps) {
  const { isDisabled, hasError, size = 'sm', onChange } = props;
  const parts = momentParts(text);
  const common = { size, disabled: isDisabled, error: hasError, 'aria-label': label };
  if (!parts)
    return (
      <TextInput
        {...common}
        {...(id && { id })}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  const offset = parts.offset || standardOffset;
  const set = (changed: Partial<MomentParts>) => onChange(momentOf({ ...parts, offset, ...changed }));
  return (
    <Group gap="xs" wrap="nowrap" mb={5}>
      <TextInput
        {...common}
        {...(id && { id, 'aria-label': undefined })}
        type="date"
        flex="1 1 150px"
        value={parts.day}
        onChange={({ currentTarget }) => set({ day: currentTarget.value })}
      />
      <TextInput
        {...common}
        error={undefined}
        type="time"
        flex="1 1 110px"
        aria-label={`${label}: time`}
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
  );
}

/** Chooses a day, and a time of it or the whole of it. */
export function MomentInput(props: InputProps) {
  const { field, value, onChange, isDisabled } = props;
  const { id, disabled: _, ...common } = boxProps(props);
  return (
    <Input.Wrapper {...common} labelProps={{ htmlFor: id }}>
      <MomentBoxes
        label={titleOf(field.name)}
        id={id}
        text={typeof value === 'string' ? value : ''}
        standardOffset={standardOffsets[field.form.format ?? ''] ?? ''}
        isDisabled={isDisabled}
        hasError={Boolean(props.error)}
        onChange={onChange}
      />
    </Input.Wrapper>
  );
}
