import { Button, Code } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CodeXml } from 'lucide-react';
import type { Stored } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { CopyIcon } from '../../parts/copy-text.tsx';
import classes from './tag-bar.module.css';
import { regionTagsOf } from './tag-urls.ts';

/** The first URL of a supply object in one line, and the way to its code for players and pages. */
export function TagBar({ entity, object }: { readonly entity: ShownEntity; readonly object: Stored }) {
  const [url = ''] = Object.values(regionTagsOf(entity, object)[0]?.urls ?? {});
  return (
    <div className={classes.bar}>
      <Code className={classes.url} title={url}>
        {url}
      </Code>
      <CopyIcon text={url} label="Copy the URL" />
      <Button
        size="xs"
        variant="light"
        leftSection={<CodeXml size={14} />}
        renderRoot={(props) => (
          <Link
            to="/console/$entity/$id/tag"
            params={{ entity: entity.key, id: String(object.Id) }}
            {...props}
          />
        )}
      >
        Get the tag
      </Button>
    </div>
  );
}
