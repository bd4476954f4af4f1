import { Text } from '@mantine/core';
import { ruleOf } from '../../src/alerts/rule.ts';
import { ruleInWords } from '../../src/alerts/words.ts';
import type { Values } from '../api/objects.ts';
import classes from './alerts.module.css';

/** What the rule of an alert means as it stands, in words. */
export function RuleWords({ values }: { readonly values: Values }) {
  const isBegun = Boolean(values.Condition);
  return (
    <div className={classes.words} role="status">
      <Text size="xs" c="dimmed">
        What it means
      </Text>
      <Text size="sm">
        {isBegun ? ruleInWords(ruleOf(values)) : 'Choose a condition to see here what the alert means.'}
      </Text>
    </div>
  );
}
