import { Button, Code, CopyButton } from '@mantine/core';

/** A text to be copied and run elsewhere; the keyboard scrolls it, too. */
export function CodeBlock({ text }: { readonly text: string }) {
  return (
    <div style={{ position: 'relative' }}>
      <Code block mah={420} tabIndex={0} style={{ overflow: 'auto' }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" pos="absolute" top={8} right={8} onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
