import { randomBytes } from 'node:crypto';
import type { Entity } from '../entities/entity.ts';
import type { Values } from '../store/interface.ts';

const secretBytes = 24;

/** A fresh credential for each secret field of an entity: URL-safe, 192 random bits (decisions A8). */
export function makeSecrets(entity: Entity): Values {
  const names = Object.keys(entity.fields).filter((name) => entity.fields[name]?.place.kind === 'secret');
  return Object.fromEntries(names.map((name) => [name, randomBytes(secretBytes).toString('base64url')]));
}
