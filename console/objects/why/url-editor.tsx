import { Code, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { Stored } from '../../api/objects.ts';
import { rowsIn } from '../../api/values.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { fieldsOf } from '../../fields.ts';
import { titleOf } from '../../parts/value-text.ts';

/** The URLs by which an object is asked, each with its macros. */
export const macroUrlsOf = (entity: ShownEntity, object: Stored): readonly string[] =>
  fieldsOf(entity)
    .filter(({ place }) => place === 'regionUrls')
    .flatMap(({ name }) => rowsIn(object[name]).slice(0, 1))
    .flatMap((row) => Object.entries(row).filter(([name, url]) => name !== 'Region' && url !== ''))
    .map(([, url]) => String(url));

const macroForm = /([?&])([^=&]+)=([^&]*)/g;

type Parameter = RegExpExecArray | RegExpMatchArray;
/** What most rules ask of a request; the other macros are there for who opens them. */
const telling = new Set(['ip', 'ua', 'site_url', 'app_bundle', 'device_type', 'os', 'lang', 'subid']);
const isTelling = ([, , name = '']: Parameter) => telling.has(name);

interface EditorProps {
  readonly urls: readonly string[];
  readonly value: string;
  readonly onChange: (url: string) => void;
}

const isMacro = (value: string) => /^[{[%$].*[}\]%]$/.test(decodeURIComponent(value));

/** The URL with a parameter of another value; one that is empty is left as it was handed out. */
function withParameter(url: string, name: string, text: string, template: string): string {
  const first = new RegExp(`([?&]${name}=)([^&]*)`);
  const standard = first.exec(template)?.[2] ?? '';
  return url.replace(
    first,
    (_all, start: string) => start + (text === '' ? standard : encodeURIComponent(text)),
  );
}

/** Fills the macros of an object's URL as a player or a page would. */
export function UrlEditor({ urls, value, onChange }: EditorProps) {
  const template = urls[0] ?? '';
  const parameters = [...template.matchAll(macroForm)].filter(([, , , macro = '']) => isMacro(macro));
  const filled = new Map([...value.matchAll(macroForm)].map(([, , name = '', text = '']) => [name, text]));
  const input = ([, , name = '', macro = '']: Parameter) => {
    const text = filled.get(name) ?? '';
    return (
      <TextInput
        key={name}
        size="xs"
        label={titleOf(name)}
        placeholder={decodeURIComponent(macro)}
        value={text === macro ? '' : decodeURIComponent(text)}
        onChange={({ currentTarget }) => onChange(withParameter(value, name, currentTarget.value, template))}
      />
    );
  };
  return (
    <Stack gap="sm">
      <SimpleGrid cols={2} spacing="xs">
        {parameters.filter(isTelling).map(input)}
      </SimpleGrid>
      <details>
        <Text component="summary" size="sm">
          All macros and the URL
        </Text>
        <SimpleGrid cols={2} spacing="xs" my="xs">
          {parameters.filter((parameter) => !isTelling(parameter)).map(input)}
        </SimpleGrid>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {value}
        </Code>
      </details>
    </Stack>
  );
}
