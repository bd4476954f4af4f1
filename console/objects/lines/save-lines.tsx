import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download, Undo2 } from 'lucide-react';
import { ErrorNote } from '../../parts/error-note.tsx';
import { objectName } from '../../parts/object-name.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useTimeZone } from '../../parts/time-zone.ts';
import { timeText } from '../../parts/zone-text.ts';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { useShownObject } from '../object-context.ts';
import { askLines, textSource } from './ask-lines.ts';
import type { Version } from './versions.tsx';

/** Gives the lines as a file, to be changed elsewhere. */
export function SaveLines() {
  const { entity, object, tag } = useShownObject();
  const of = textSource(entity, object.Id, tag);
  const saving = useMutation({
    mutationFn: async () =>
      saveFile(await askLines<'text'>({ kind: 'text', of }), `${objectName(object)}.txt`),
  });
  if (saving.error) return <ErrorNote error={saving.error} />;
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} />}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      Download
    </Button>
  );
}

interface TakeProps {
  readonly version: Version;
  readonly onTaken: (lines: File) => void;
}

/** Puts the lines of an earlier version where lines are sent from, so that they can replace those of now. */
export function TakeLines({ version, onTaken }: TakeProps) {
  const { entity, object } = useShownObject();
  const may = mayChange(useAccount());
  const [zone] = useTimeZone();
  const of = textSource(entity, object.Id, String(version.revision), version.time);
  const taking = useMutation({
    mutationFn: () => askLines<'text'>({ kind: 'text', of }),
    onSuccess: (lines) => onTaken(new File([lines], `Lines of ${timeText(new Date(version.time), zone)}`)),
  });
  if (taking.error) return <ErrorNote error={taking.error} />;
  return (
    <Button
      variant="default"
      leftSection={<Undo2 size={16} />}
      loading={taking.isPending}
      disabled={!may}
      title={may ? 'Puts them into the form, to replace all lines with them' : analystReason}
      onClick={() => taking.mutate()}
    >
      Go back to these
    </Button>
  );
}
