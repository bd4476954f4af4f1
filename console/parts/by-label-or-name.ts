import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core';

/** Finds options by what they are called, and by the API's names, which are their values. */
export const byLabelOrName: OptionsFilter = ({ options, search }) => {
  const sought = search.trim().toLowerCase();
  const fits = ({ label, value }: ComboboxItem) =>
    label.toLowerCase().includes(sought) || value.toLowerCase().includes(sought);
  return options.flatMap<ComboboxParsedItem>((option) => {
    if ('group' in option) return [{ ...option, items: option.items.filter(fits) }];
    return fits(option) ? [option] : [];
  });
};
