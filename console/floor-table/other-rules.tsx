import { Anchor, Button, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { Stored } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';
import { objectName } from '../parts/object-name.ts';
import { countText } from '../parts/value-text.ts';
import { floorText } from './floor-table.ts';

const shownMax = 100;

interface RulesProps {
  readonly entity: ShownEntity;
  readonly rules: readonly Stored[];
}

/** The rules that have no place in a table of countries and devices. */
export function OtherRules({ entity, rules }: RulesProps) {
  const [isOpen, { toggle }] = useDisclosure();
  if (rules.length === 0) return null;
  const more = rules.length - shownMax;
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm">
        {rules.length === 1 ? '1 rule has' : `${countText(rules.length)} rules have`} other conditions and may
        hold before these floors.{' '}
        <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </Text>
      {isOpen && (
        <List size="sm">
          {rules.slice(0, shownMax).map((rule) => (
            <List.Item key={rule.Id}>
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link
                    to="/console/$entity/$id"
                    params={{ entity: entity.key, id: String(rule.Id) }}
                    {...props}
                  />
                )}
              >
                {objectName(rule)}
              </Anchor>
              : {floorText(rule)}, Priority {String(rule.Priority)}
            </List.Item>
          ))}
          {more > 0 && <List.Item>and {countText(more)} more</List.Item>}
        </List>
      )}
    </Stack>
  );
}
