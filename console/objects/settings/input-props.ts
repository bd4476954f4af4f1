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

/** In a sentence, the words around it and the help below are seen, and its title is heard. */
const namedBy = ({ name, help, phrase }: ShownField) =>
  phrase
    ? { 'aria-label': titleOf(name), 'aria-description': help, title: titleOf(name) }
    : { label: titleOf(name), description: help || undefined };

export const commonProps = ({ field, error, isDisabled, isRequired }: InputProps) => ({
  ...namedBy(field),
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
