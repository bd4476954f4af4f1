import { marked, type Token, type Tokens } from 'marked';
import { type Block, contentsPage, type Guide, type Inline, type Line, plainText } from '../help/guide.ts';

/** The name of a guide by that of its file: `README.md` lists the others. */
export const pageOf = (file: string): string =>
  file === 'README.md' ? contentsPage : file.replace(/\.md$/, '');

/** The ID of a heading, as GitHub makes it, so that links hold in both places. */
const idOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function linkOf({ href, tokens }: Tokens.Link, page: string): Inline {
  const parts = lineOf(tokens, page);
  if (/^https?:/.test(href)) return { kind: 'url', url: href, parts };
  const [, file = '', hash = ''] = /^([\w-]+\.md)?(?:#(.+))?$/.exec(href) ?? [];
  if (file !== '' || hash !== '')
    return { kind: 'guide', page: file === '' ? page : pageOf(file), hash, parts };
  // The console has no other pages of the repository: it says where they are.
  return { kind: 'code', text: href.replace(/^\.\.\//, 'docs/') };
}

function inlineOf(token: Token, page: string): Inline {
  switch (token.type) {
    case 'text':
    case 'escape':
      return String(token.text).replaceAll('\n', ' ');
    case 'codespan':
      return { kind: 'code', text: token.text };
    case 'strong':
      return { kind: 'strong', parts: lineOf(token.tokens, page) };
    case 'em':
      return { kind: 'emphasis', parts: lineOf(token.tokens, page) };
    case 'link':
      return linkOf(token as Tokens.Link, page);
    default:
      throw new Error(`docs/guide: the console shows no ${token.type} in a line: ${token.raw}`);
  }
}

const lineOf = (tokens: readonly Token[] | undefined, page: string): Line =>
  (tokens ?? []).map((token) => inlineOf(token, page));

/** A picture by itself: those in lines have no place in the console. */
function pictureOf({ href, text, raw }: Tokens.Image): Block {
  const [, name] = /^pictures\/([\w-]+\.png)$/.exec(href) ?? [];
  if (!name || text === '')
    throw new Error(
      `docs/guide: the console shows no picture but those of docs/guide/pictures, with a text: ${raw}`,
    );
  return { kind: 'picture', name, text };
}

const isComment = (token: Token) => token.type === 'html' && token.raw.trimStart().startsWith('<!--');

function blockOf(token: Token, page: string): readonly Block[] {
  switch (token.type) {
    case 'space':
      return [];
    case 'heading': {
      const line = lineOf(token.tokens, page);
      return [{ kind: 'heading', level: token.depth, id: idOf(plainText(line)), line }];
    }
    case 'paragraph':
    case 'text': {
      const [only, ...others] = token.tokens ?? [];
      if (only?.type === 'image' && others.length === 0) return [pictureOf(only as Tokens.Image)];
      return [{ kind: 'paragraph', line: lineOf(token.tokens, page) }];
    }
    case 'code':
      return [{ kind: 'code', text: token.text }];
    case 'list':
      return [
        {
          kind: 'list',
          isOrdered: token.ordered,
          items: (token as Tokens.List).items.map(({ tokens }) => blocksOf(tokens, page)),
        },
      ];
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => lineOf(tokens, page));
      return [{ kind: 'table', head: cells(header), rows: rows.map(cells) }];
    }
    default:
      if (isComment(token)) return [];
      throw new Error(`docs/guide: the console shows no ${token.type}: ${token.raw}`);
  }
}

const blocksOf = (tokens: readonly Token[], page: string): readonly Block[] =>
  tokens.flatMap((token) => blockOf(token, page));

/** A guide as plain data. Throws for what the console has no form for, as a picture in a line or markup. */
export function readGuide(file: string, text: string): Guide {
  const page = pageOf(file);
  const blocks = blocksOf(marked.lexer(text), page);
  const [first] = blocks;
  if (first?.kind !== 'heading') throw new Error(`docs/guide/${file} does not begin with a heading`);
  return { page, title: plainText(first.line), blocks };
}
