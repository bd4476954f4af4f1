import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Mail, Play } from 'lucide-react';
import { objectQuery } from '../../api/objects.ts';
import { entityOf } from '../../field-tables.ts';
import { objectName } from '../../parts/object-name.ts';
import { announce } from '../../shell/announcements.ts';
import { useShownObject } from '../object-context.ts';
import { type ChosenTag, GetTag } from './get-tag.tsx';
import { tagMail } from './tag-mail.ts';

/** The code that a publisher needs to call the object, ready to be handed over. */
export function TagTab() {
  const { entity, object } = useShownObject();
  return (
    <GetTag
      entity={entity}
      object={object}
      actions={(chosen) => (
        <>
          <MailTag {...chosen} />
          <Button
            variant="default"
            leftSection={<Play size={16} />}
            renderRoot={(props) => (
              <Link
                to="/console/$entity/$id/test"
                params={{ entity: entity.key, id: String(object.Id) }}
                {...props}
              />
            )}
          >
            Test now
          </Button>
        </>
      )}
    />
  );
}

/** Opens a mail to the owner with the code; one that is too long for that is copied, to be pasted. */
function MailTag({ integration: { Title: platform, Help: help }, code }: ChosenTag) {
  const { entity, object } = useShownObject();
  const owner = entity.owner && entityOf(entity.owner.entity);
  const ownerId = Number(entity.owner && object[entity.owner.field]);
  const { data } = useQuery({
    ...objectQuery(owner ?? entity, ownerId),
    enabled: owner !== undefined && ownerId > 0,
  });
  const to = String(data?.object.Mail ?? '');
  const { href, isWhole } = tagMail({ to, name: objectName(object), platform, help, code });
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    announce('The code is copied; paste it into the mail');
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<Mail size={16} />}
        component="a"
        href={href}
        title={to}
        {...(!isWhole && { onClick: () => void copy() })}
      >
        Mail to the publisher
      </Button>
      {!isWhole && (
        <Text size="xs" c="dimmed" w="100%" style={{ order: 1 }}>
          This code is too long for a mail link: it is copied when you open the mail, so that you can paste
          it.
        </Text>
      )}
    </>
  );
}
