import { pictures } from 'virtual:guides';
import { Box, Code, List, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { CodeBlock } from '../parts/code-block.tsx';
import { type DataColumn, DataTable } from '../parts/table/data-table.tsx';
import { type Block, type Inline, type Line, plainText } from './guide.ts';
import classes from './help.module.css';
import { rowId } from './help-entries.ts';

function Part({ part }: { readonly part: Inline }) {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'code':
      return <Code className={classes.code}>{part.text}</Code>;
    case 'strong':
      return (
        <strong>
          <Parts line={part.parts} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Parts line={part.parts} />
        </em>
      );
    case 'guide':
      return (
        <Link to="/console/help/$page" params={{ page: part.page }} hash={part.hash}>
          <Parts line={part.parts} />
        </Link>
      );
    case 'url':
      return (
        <a href={part.url} target="_blank" rel="noreferrer">
          <Parts line={part.parts} />
        </a>
      );
  }
}

function Parts({ line }: { readonly line: Line }) {
  return line.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a guide never changes while it is shown
    <Part key={index} part={part} />
  ));
}

type Cells = readonly Line[];

function GuideTable({ head, rows }: Extract<Block, { kind: 'table' }>) {
  const columns = head.map(
    (line, index): DataColumn<readonly [number, Cells]> => ({
      title: plainText(line),
      head: <Parts line={line} />,
      ...(index === 0 ? {} : { form: 'prose' }),
      cell: ([, cells]) => <Parts line={cells[index] ?? []} />,
    }),
  );
  return (
    <div className={classes.block}>
      <DataTable
        columns={columns}
        rows={[...rows.entries()]}
        keyOf={([row]) => row}
        idOf={([, cells]) => rowId(cells)}
        minWidth={320}
      />
    </div>
  );
}

/** A picture, which opens in its own size; in dark mode the dark one, where there is one. Only what is shown is loaded. */
function GuidePicture({ name, text }: Extract<Block, { kind: 'picture' }>) {
  const picture = pictures[name];
  if (!picture) return null;
  const { light, dark, width, height } = picture;
  const common = { component: 'a', target: '_blank', className: classes.picture } as const;
  const image = (url: string) => <img src={url} alt={text} width={width} height={height} loading="lazy" />;
  return (
    <>
      <Box {...common} href={light} {...(dark && { darkHidden: true })}>
        {image(light)}
      </Box>
      {dark && (
        <Box {...common} href={dark} lightHidden>
          {image(dark)}
        </Box>
      )}
    </>
  );
}

/** Sizes of the headings by their level. */
const sizes = { 1: 'h3', 2: 'h4', 3: 'h5' } as const;
const orderOf = (level: number) => Math.min(level, 3) as keyof typeof sizes;

function GuideBlock({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading': {
      const order = orderOf(block.level);
      return (
        <Title order={order} size={sizes[order]} id={block.id} tabIndex={-1} className={classes.heading}>
          <Parts line={block.line} />
        </Title>
      );
    }
    case 'paragraph':
      return (
        <Text my="sm">
          <Parts line={block.line} />
        </Text>
      );
    case 'code':
      return (
        <div className={classes.block}>
          <CodeBlock text={block.text} />
        </div>
      );
    case 'picture':
      return <GuidePicture {...block} />;
    case 'list':
      return (
        <List type={block.isOrdered ? 'ordered' : 'unordered'} my="sm" pr="md" withPadding>
          {block.items.map((blocks, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a guide never changes while it is shown
            <List.Item key={index}>
              <Item blocks={blocks} />
            </List.Item>
          ))}
        </List>
      );
    case 'table':
      return <GuideTable {...block} />;
  }
}

/** The blocks of an item of a list, the first of them beside its mark. */
function Item({ blocks }: { readonly blocks: readonly Block[] }) {
  const [first, ...rest] = blocks;
  if (first?.kind !== 'paragraph') return <Blocks blocks={blocks} />;
  return (
    <Fragment>
      <Parts line={first.line} />
      <Blocks blocks={rest} />
    </Fragment>
  );
}

/** The blocks of a guide, as elements. */
export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a guide never changes while it is shown
    <GuideBlock key={index} block={block} />
  ));
}
