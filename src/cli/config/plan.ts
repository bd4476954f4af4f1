import type { Command } from 'commander';
import { configCommand } from './config-command.ts';

/** `bourse plan`: what a file would change. */
export function plan(program: Command): void {
  configCommand(program, 'plan', 'show what a configuration file would change, and change nothing');
}
