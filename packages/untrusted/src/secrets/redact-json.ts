import { redactText } from './redact-text.ts';

/**
 * JSON as it is, each text in it redacted. What holds no secret is the same value, and not a copy.
 * @param redact by default what masks the secrets in force
 */
export function redactJson<Value>(value: Value, redact: (text: string) => string = redactText): Value {
  // The shape stays, and strings become strings.
  return walk(value, redact) as Value;
}

function walk(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => walk(item, redact));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const entries = Object.entries(value);
  const shown = entries.map(([key, item]) => [redact(key), walk(item, redact)] as const);
  const isSame = shown.every(([key, item], at) => key === entries[at]?.[0] && item === entries[at][1]);
  return isSame ? value : Object.fromEntries(shown);
}
