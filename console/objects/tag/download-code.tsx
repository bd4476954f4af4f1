import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { saveFile } from '../../parts/save-file.ts';

export function DownloadCode({ code, fileName }: { readonly code: string; readonly fileName: string }) {
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} />}
      title={fileName}
      onClick={() => saveFile(new Blob([code], { type: 'text/plain;charset=utf-8' }), fileName)}
    >
      Download
    </Button>
  );
}
