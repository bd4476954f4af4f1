import { Fragment } from 'react';

const parts = (text: string) => text.split('`');

/** A help that names fields between backticks, as sentences: names stand out. */
export const HelpText = ({ text }: { readonly text: string }) =>
  parts(text).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
      <b key={index}>{part}</b>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
      <Fragment key={index}>{part}</Fragment>
    ),
  );

/** The same as a text alone, as for a `title`. */
export const plainHelp = (text: string | undefined): string | undefined => text?.replaceAll('`', '');
