import { useLocalStorage } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useAccount } from '../session/session-context.ts';

/** What is to be sent: a file, or a text. */
export interface Content {
  readonly file?: File | undefined;
  readonly text: string;
}

const nothing: Content = { text: '' };

/** The content as it is sent; undefined where there is none. */
export const blobOf = ({ file, text }: Content): Blob | undefined =>
  file ?? (text.trim() === '' ? undefined : new Blob([text]));

/** A failure to send a content. */
export interface ContentFailure {
  readonly error: Error;
  readonly of: Content;
}

/** What is to be said of a failure beside a content: nothing once another file is chosen, or none. */
export const failureBeside = (failure: ContentFailure | undefined, content: Content): Error | undefined =>
  failure && failure.of.file === content.file && blobOf(content) ? failure.error : undefined;

/** A content that is typed or chosen; the text outlives a reload. */
export function useContent(key: string, start: Content = nothing) {
  const [file, setFile] = useState(start.file);
  const [text, setText] = useLocalStorage({
    // As with drafts: whoever logs in next in this browser begins without it.
    key: `bourse-draft-${useAccount().Id}-${key}`,
    defaultValue: start.text,
    getInitialValueInEffect: false,
  });
  const set = (content: Content) => {
    setFile(content.file);
    setText(content.text);
  };
  // The same object as long as it is the same content, so that what is chosen for it can be kept with it.
  const content = useMemo(() => ({ file, text }), [file, text]);
  return { content, set, clear: () => set(nothing) };
}
