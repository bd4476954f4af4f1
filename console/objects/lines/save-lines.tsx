import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { ErrorNote } from '../../parts/error-note.tsx';
import { nameOf } from '../../parts/object-name.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useShownObject } from '../object-context.ts';
import { askLines, textSource } from './ask-lines.ts';

/** Gives the lines as a file, to be changed elsewhere. */
export function SaveLines() {
  const { entity, object, tag } = useShownObject();
  const [failure, setFailure] = useState<Error>();
  const save = async () => {
    try {
      const of = textSource(entity, object.Id, tag);
      saveFile(await askLines<'text'>({ kind: 'text', of }), `${nameOf(object)}.txt`);
    } catch (error) {
      setFailure(error as Error);
    }
  };
  if (failure) return <ErrorNote error={failure} />;
  return (
    <Button variant="default" leftSection={<Download size={16} />} onClick={() => void save()}>
      Download
    </Button>
  );
}
