import type { Command } from 'commander';
import { configCommand } from './config-command.ts';

/** `bourse apply`: brings a team's configuration to what a file says. */
export function apply(program: Command): void {
  configCommand(program, 'apply', 'bring a team to what a configuration file says, whole or not at all');
}
