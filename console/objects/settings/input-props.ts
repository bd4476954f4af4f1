import type { ReactNode } from 'react';
import type { ShownField } from '../../field-tables.ts';
import { titleOf } from '../../parts/value-text.ts';

export interface InputProps {
  readonly field: ShownField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly error: ReactNode;
  /** Where in the value the error is, where that is known: `[2].CC`. */
  readonly errorPath?: string | undefined;
  readonly isDisabled: boolean;
  readonly isRequired: boolean;
}

export const commonProps = ({ field, error, isDisabled, isRequired }: InputProps) => ({
  label: titleOf(field.name),
  description: field.help || undefined,
  error,
  disabled: isDisabled,
  withAsterisk: isRequired,
  id: `field-${field.name}`,
});

/** Of inputs with a box: boxes side by side stand on one line, however long the help is. */
export const boxProps = (props: InputProps) => ({
  ...commonProps(props),
  inputWrapperOrder: ['label' as const, 'input' as const, 'description' as const, 'error' as const],
});
