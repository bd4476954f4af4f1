import { randomBytes } from 'node:crypto';
import type { Entity } from '../entities/entity.ts';
import { type Fault, pathOf } from '../fields/fault.ts';
import { ownMember } from '../reference/own-member.ts';
import type { Values } from '../store/interface.ts';

const secretBytes = 24;

export function secretNames({ fields }: Entity): string[] {
  return Object.keys(fields).filter((name) => ownMember(fields, name)?.place.kind === 'secret');
}

export function makeSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** For each secret field: URL-safe, 192 random bits (reference, A8). */
export function makeSecrets(entity: Entity): Values {
  return Object.fromEntries(secretNames(entity).map((name) => [name, makeSecret()]));
}

/** Credentials may only be sent as stored: nobody chooses them (reference, A8). */
export function secretFaults(entity: Entity, sent: Values, stored: Values): Fault[] {
  const Message = `is made by the server; leave it out, or send it as it was fetched; to replace it, use POST /api/${entity.path}/rotate`;
  return secretNames(entity)
    .filter((name) => Object.hasOwn(sent, name) && sent[name] !== ownMember(stored, name))
    .map((name) => ({ Path: pathOf(entity.wrapper, name), Code: 'read_only', Message }));
}
