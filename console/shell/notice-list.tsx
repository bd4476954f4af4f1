import { Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import classes from './notice-list.module.css';
import { dismiss, type Notice, shownNotices, subscribe, undo } from './notices.ts';

/** Long enough to read it and to reach the button. */
const shownMs = 12_000;

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('textarea, [contenteditable], input:not([type=checkbox], [type=radio])');

/** Undoes the last thing that a notice tells of; in texts, the key is the browser's. */
function undoByKey(event: KeyboardEvent): void {
  const last = shownNotices().findLast((notice) => notice.undo);
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
  if (!last || !isUndo || isText(event.target)) return;
  event.preventDefault();
  void undo(last);
}

/** What was just done, with a way back, above the end of the screen. */
export function NoticeList() {
  const notices = useSyncExternalStore(subscribe, shownNotices);
  useEffect(() => {
    document.addEventListener('keydown', undoByKey);
    return () => document.removeEventListener('keydown', undoByKey);
  }, []);
  if (notices.length === 0) return null;
  return (
    <section className={classes.notices} aria-label="Just done">
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

/** Stays while somebody points at it or has the focus in it. */
function NoticeCard({ notice }: { readonly notice: Notice }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismiss(notice.id), shownMs);
    return () => clearTimeout(timer);
  }, [isHeld, notice.id]);
  return (
    <Paper
      withBorder
      shadow="md"
      p="xs"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Group gap="sm" wrap="nowrap" justify="space-between">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {notice.text}
        </Text>
        <Group gap={4} wrap="nowrap">
          {notice.undo && (
            <Button size="compact-sm" variant="light" title="Ctrl+Z" onClick={() => void undo(notice)}>
              Undo
            </Button>
          )}
          <CloseButton size="sm" aria-label="Dismiss" onClick={() => dismiss(notice.id)} />
        </Group>
      </Group>
    </Paper>
  );
}
