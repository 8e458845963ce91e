import type { Issue } from './registered-tool.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Texts in arguments that no program, file name or database can take: U+0000 ends a text there, and half of a
 * surrogate pair is no character.
 */
export function textFaults(value: unknown, path = ''): Issue[] {
  if (typeof value === 'string') {
    if (value.includes('\0'))
      return [{ path, message: 'holds U+0000 (NUL), which no text may; leave it out' }];
    if (!LONE_SURROGATE.test(value)) return [];
    return [{ path, message: 'holds half of a surrogate pair, which is no character; leave it out' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    ...textFaults(key, path),
    ...textFaults(item, path === '' ? key : `${path}.${key}`),
  ]);
}
