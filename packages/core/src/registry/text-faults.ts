import type { Issue } from './registered-tool.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Texts in arguments that no program, file name or database can take: U+0000 ends a text there, and half of a
 * surrogate pair is no character.
 */
export function textFaults(value: unknown): Issue[] {
  const found: Issue[] = [];
  // Where a fault is, is found out once there is one: most have none, and may hold 150 000 objects.
  if (!isSound(value)) collect(value, [], found);
  return found;
}

function isSound(value: unknown): boolean {
  if (typeof value === 'string') return textFault(value) === undefined;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isSound);
  for (const key in value) {
    if (textFault(key) !== undefined || !isSound((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

/** @param path of the value; changed and put back, so that nothing is made for what is as it should be */
function collect(value: unknown, path: (string | number)[], found: Issue[]): void {
  if (typeof value === 'string') {
    const message = textFault(value);
    if (message !== undefined) found.push({ path: path.join('.'), message });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const collectAt = (key: string | number, member: unknown) => {
    path.push(key);
    collect(member, path, found);
    path.pop();
  };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) collectAt(index, value[index]);
    return;
  }
  for (const key of Object.keys(value)) {
    collect(key, path, found);
    collectAt(key, (value as Record<string, unknown>)[key]);
  }
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'holds U+0000 (NUL), which no text may; leave it out';
  if (!LONE_SURROGATE.test(text)) return undefined;
  return 'holds half of a surrogate pair, which is no character; leave it out';
}
