import { createHash } from 'node:crypto';

/** What every provider accepts as a tool's name. */
const MAX_CHARS = 64;
const HASH_CHARS = 8;

/** Tools' names as they go over the wire, and back: servers use characters and lengths that providers refuse. */
export interface WireNames {
  toWire(name: string): string;
  fromWire(name: string): string;
}

export function wireNames(): WireNames {
  const originals = new Map<string, string>();
  return {
    toWire(name) {
      const wire = wireName(name);
      originals.set(wire, name);
      return wire;
    },
    fromWire: (wire) => originals.get(wire) ?? wire,
  };
}

function wireName(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  if (plain === name && name.length > 0 && name.length <= MAX_CHARS) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARS);
  return `${plain.slice(0, MAX_CHARS - HASH_CHARS - 1)}_${hash}`;
}
