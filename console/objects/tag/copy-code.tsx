import { Button, CopyButton } from '@mantine/core';
import { Check, Copy } from 'lucide-react';

export function CopyCode({ code }: { readonly code: string }) {
  return (
    <CopyButton value={code}>
      {({ copied, copy }) => (
        <Button leftSection={copied ? <Check size={16} /> : <Copy size={16} />} onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  );
}
