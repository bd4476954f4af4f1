import { Button, FileButton, Text } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import classes from './drop-area.module.css';

interface DropProps {
  /** File endings and media types, as `accept` of an input has them. */
  readonly accept: string;
  readonly isDisabled?: boolean;
  readonly title?: string | undefined;
  /** What may be dropped, in a few words. */
  readonly children: ReactNode;
  readonly onFile: (file: File) => void;
}

/** Takes a file by a drop, or by a button for who has no mouse. */
export function DropArea({ accept, isDisabled = false, title, children, onFile }: DropProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file && !isDisabled) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same by keyboard
    <div
      className={classes.area}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!isDisabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileButton accept={accept} disabled={isDisabled} onChange={(file) => file && onFile(file)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<FileUp size={16} />}
            disabled={isDisabled}
            title={title}
          >
            Choose a file
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </div>
  );
}
