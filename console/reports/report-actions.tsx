import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { sendForFile } from '../api/call.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { saveFile } from '../parts/save-file.ts';
import { type Question, reportRequest } from './question.ts';

/** Takes a report elsewhere: its rows as a file, the question as a call. */
export function ReportActions({ question }: { readonly question: Question }) {
  const { Period, From, To } = question;
  const time = Period ?? `${From}-${To}`;
  const asCsv = reportRequest(question, 'csv');
  const saving = useMutation({
    mutationFn: async () => saveFile(await sendForFile(asCsv), `report-${time}.csv`),
  });
  return (
    <>
      {saving.error && <ErrorNote error={saving.error} />}
      <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
        CSV
      </Button>
      <ApiCall calls={{ 'Ask for this report': reportRequest(question), 'As CSV': asCsv }} />
    </>
  );
}
