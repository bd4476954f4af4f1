import { Badge, Code, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { TestCall } from '../../../src/answers/test-result.ts';
import { entityOf } from '../../field-tables.ts';
import classes from './test.module.css';

/** What demand was sent, what it answered, and how long that took. Answers are texts of strangers. */
export function Calls({ calls }: { readonly calls: readonly TestCall[] }) {
  if (calls.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nobody was called.
      </Text>
    );
  }
  const end = Math.max(...calls.map(({ StartMs, DurationMs }) => StartMs + DurationMs), 1);
  return (
    <div>
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an object may be called twice, and the list never changes
        <CallRow key={index} call={call} end={end} />
      ))}
    </div>
  );
}

function CallRow({ call, end }: { readonly call: TestCall; readonly end: number }) {
  const { Entity, Id, Name, Method, Url, Sent, StartMs, DurationMs, HttpStatus, Answer, IsCut, Refusals } =
    call;
  const title = entityOf(Entity)?.title;
  const isGood = HttpStatus >= 200 && HttpStatus < 300;
  return (
    <details className={classes.call}>
      <summary>
        <Group gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="xs" miw={0} style={{ overflowWrap: 'anywhere' }}>
            <ChevronRight size={16} className={classes.mark} aria-hidden />
            <Text span fw={500}>
              {Name || `ID ${Id}`}
            </Text>
            <Text size="xs" c="dimmed">
              {title} {Id}
            </Text>
            {Refusals.map(({ Rule, Help }) => (
              <Text key={Rule} size="sm" c="orange" title={Help}>
                {Rule.replaceAll('_', ' ')}
              </Text>
            ))}
          </Group>
          <Group gap="sm" wrap="nowrap">
            <Badge variant="light" color={isGood ? 'teal' : 'orange'}>
              {HttpStatus === 0 ? 'no answer' : HttpStatus}
            </Badge>
            <Text size="sm">{DurationMs} ms</Text>
          </Group>
        </Group>
        <div
          className={classes.bar}
          style={{
            marginLeft: `${(100 * StartMs) / end}%`,
            width: `${Math.max((100 * DurationMs) / end, 0.5)}%`,
          }}
        />
      </summary>
      <Text size="sm" mt="xs">
        <Link to="/console/$entity/$id" params={{ entity: Entity, id: String(Id) }}>
          Open this {title}
        </Link>
      </Text>
      <Text size="xs" c="dimmed" mt="xs" className={classes.sent}>
        {Method} {Url}
      </Text>
      {Sent && (
        <Code block mt="xs" mah={260}>
          {pretty(Sent)}
        </Code>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        Answer{IsCut === 1 && ', its beginning'}
      </Text>
      <Code block mah={320}>
        {Answer === '' ? 'empty' : pretty(Answer)}
      </Code>
    </details>
  );
}

/** JSON in lines; anything else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
