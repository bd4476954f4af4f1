export type Inline =
  | string
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly parts: readonly Inline[] }
  /** A way to another guide, or to a heading: `hash` is its ID, `""` for the top. */
  | {
      readonly kind: 'guide';
      readonly page: string;
      readonly hash: string;
      readonly parts: readonly Inline[];
    }
  /** A way out of the guides. */
  | { readonly kind: 'url'; readonly url: string; readonly parts: readonly Inline[] };

/** A line of text: its parts in their order. */
export type Line = readonly Inline[];

/** What a line says, without its form. */
export const plainText = (line: Line): string =>
  line
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'text' in part ? part.text : plainText(part.parts);
    })
    .join('');

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly line: Line }
  | { readonly kind: 'paragraph'; readonly line: Line }
  | { readonly kind: 'code'; readonly text: string }
  /** `name` is that of its file; `text` says what it shows to who does not see it. */
  | { readonly kind: 'picture'; readonly name: string; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'table'; readonly head: readonly Line[]; readonly rows: readonly (readonly Line[])[] };

/** A picture of the guides: where its files are, and how large it is, in pixels. */
export interface Picture {
  readonly light: string;
  /** Where it looks otherwise in dark mode. */
  readonly dark?: string;
  readonly width: number;
  readonly height: number;
}

/** A page of the help, as plain data. */
export interface Guide {
  /** Its name in addresses, as `why-no-ad`; `contents` for the page that lists the others. */
  readonly page: string;
  /** What its first heading says. */
  readonly title: string;
  readonly blocks: readonly Block[];
}

export const contentsPage = 'contents';
