import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import type { CsvForm } from '../../src/reference/csv.ts';
import { sendForFile } from '../api/call.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { csvFormFor, csvForms } from '../parts/csv-form.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { saveFile } from '../parts/save-file.ts';
import { csvRequest, type Question, reportRequest } from './question.ts';

/** Takes a report elsewhere: its rows as a file, the question as a call. `name`: of a saved one. */
export function ReportActions({
  question,
  name = '',
}: {
  readonly question: Question;
  readonly name?: string;
}) {
  const saving = useMutation({
    async mutationFn(form: CsvForm) {
      const { content, name: fileName } = await sendForFile(csvRequest(question, form, name));
      saveFile(content, fileName ?? 'report.csv');
    },
  });
  return (
    <>
      {saving.error && <ErrorNote error={saving.error} />}
      <Button.Group>
        <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate(csvFormFor())}>
          CSV
        </Button>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button variant="default" px={6} aria-label="File formats">
              <ChevronDown size={14} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {csvForms.map(({ label, ...form }) => (
              <Menu.Item key={label} onClick={() => saving.mutate(form)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Button.Group>
      <ApiCall
        calls={{
          'Ask for this report': reportRequest(question),
          'As CSV': csvRequest(question, csvFormFor(), name),
        }}
      />
    </>
  );
}
