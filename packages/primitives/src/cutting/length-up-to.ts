/**
 * How long a value is as JSON, or some length beyond `max` where it is longer: a value of megabytes is not written at
 * every level to learn that it has no room.
 */
export function lengthUpTo(value: unknown, max: number): number {
  if (typeof value === 'string') {
    return value.length + 2 > max ? value.length + 2 : JSON.stringify(value).length;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)?.length ?? 0;
  // After each stands a comma or the closing bracket.
  let length = 1;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (length > max) break;
      length += lengthUpTo(item, max - length) + 1;
    }
  } else {
    for (const [key, each] of Object.entries(value)) {
      if (length > max) break;
      length += lengthUpTo(key, max - length) + 2;
      length += lengthUpTo(each, max - length);
    }
  }
  return Math.max(2, length);
}
