import { measures, type ShownEntity, type ShownField } from '../field-tables.ts';

const days = ['Today', 'Yesterday'] as const;

/** Whether the entity's objects are counted. */
export const isCounted = ({ side }: ShownEntity): boolean =>
  side === 'supply' || side === 'demand' || side === 'account';

const columns: readonly ShownField[] = days.flatMap((day) =>
  Object.entries(measures)
    .filter(([, { isFigure }]) => isFigure)
    .map(([name, { help, unit }]) => ({
      name: `${day}.${name}`,
      presence: 'derived' as const,
      section: 'Figures' as const,
      isAdvanced: false,
      help: `${help}, ${day.toLowerCase()} (UTC)`,
      form: { type: 'number' as const },
      place: 'statistic' as const,
      inArray: true,
      onlyInSingle: false,
      ...(unit && { unit }),
    })),
);

/** Figures that the server adds to lists, like fields of their names; not those that a field tells already. */
export const figureColumns = (
  entity: ShownEntity,
  fields: readonly Pick<ShownField, 'name'>[],
): readonly ShownField[] =>
  isCounted(entity)
    ? columns.filter(({ name }) => fields.every((field) => field.name !== name.replace('.', '')))
    : [];

/** What an account's list shows first: the money of all that it owns. */
export const moneyColumns = days.flatMap((day) =>
  ['Cost', 'Revenue', 'Profit'].map((name) => `${day}.${name}`),
);
