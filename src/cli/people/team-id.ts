import { InvalidArgumentError } from 'commander';

export function teamId(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be the ID of a team; `bourse team add` prints it.');
}
