import { type Block, type Guide, type Line, plainText } from './guide.ts';

/** A place in the help: a guide, a heading in it, or a row of a table that an address can lead to. */
export interface HelpEntry {
  readonly page: string;
  /** "" for the top. */
  readonly hash: string;
  readonly title: string;
  readonly text: string;
}

/** The code in a row's first cell, by which addresses name the row. */
export function rowId([first]: readonly Line[]): string | undefined {
  const [part] = first ?? [];
  return typeof part === 'object' && part.kind === 'code' ? part.text : undefined;
}

const entriesOf = ({ page, title }: Guide, block: Block): readonly HelpEntry[] => {
  if (block.kind === 'heading') {
    const isTop = block.level === 1;
    return [
      {
        page,
        hash: isTop ? '' : block.id,
        title: plainText(block.line),
        text: isTop ? 'Guide' : `In the guide “${title}”`,
      },
    ];
  }
  if (block.kind !== 'table') return [];
  return block.rows.flatMap((cells) => {
    const id = rowId(cells);
    const says = plainText(cells[1] ?? []);
    return id === undefined ? [] : [{ page, hash: id, title: id, text: `${title}: ${says}` }];
  });
};

/** All that the help says by a name of its own: of names that a guide has several times, the first, where addresses lead. */
export function helpEntries(guides: readonly Guide[]): readonly HelpEntry[] {
  const all = guides.flatMap((guide) => guide.blocks.flatMap((block) => entriesOf(guide, block)));
  const byAddress = new Map(all.toReversed().map((entry) => [`${entry.page}#${entry.hash}`, entry]));
  return all.filter((entry) => byAddress.get(`${entry.page}#${entry.hash}`) === entry);
}
