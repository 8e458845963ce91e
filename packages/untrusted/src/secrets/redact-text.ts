import { findSecrets } from './find-secrets.ts';
import { valueMask } from './known-values.ts';
import { MASK } from './mask.ts';

/** Shorter values (`info`, `8080`) are no secrets, and masking them would garble text. */
const MIN_SECRET_LENGTH = 8;
/** Where a text is about one server, whose every value may be a secret. */
const MIN_OWN_LENGTH = 6;

/** How often each value is held; a process has one set, as it has one log. */
const inForce = new Map<string, number>();
let maskInForce: ((text: string) => string) | undefined;

/**
 * From now on these values are masked in everything that leaves this process: the values of secrets in force.
 * @returns how to let them go
 */
export function holdSecrets(values: Iterable<string>): () => void {
  const own = [...values].filter((value) => value.length >= MIN_SECRET_LENGTH);
  if (own.some((value) => !inForce.has(value))) maskInForce = undefined;
  for (const value of own) inForce.set(value, (inForce.get(value) ?? 0) + 1);
  let isInForce = true;
  return () => {
    if (!isInForce) return;
    isInForce = false;
    for (const value of own) {
      const count = inForce.get(value) ?? 0;
      if (count > 1) inForce.set(value, count - 1);
      else inForce.delete(value);
    }
    maskInForce = undefined;
  };
}

/** The values of secrets in force. */
export function secretsInForce(): string[] {
  return [...inForce.keys()];
}

/** The text with secrets in force masked, and whatever else has the form of a secret or stands where one does. */
export function redactText(text: string): string {
  maskInForce ??= valueMask(inForce.keys(), MIN_SECRET_LENGTH);
  return maskFound(maskInForce(text));
}

/** As `redactText`, in another thread or process, which holds no secrets itself. */
export function redactWith(values: Iterable<string>, text: string): string {
  return maskFound(valueMask(values, MIN_SECRET_LENGTH)(text));
}

/** As `redactText`, for texts about one server: masks also all that it was given in confidence. */
export function redactorFor(values: Iterable<string>): (text: string) => string {
  const maskOwn = valueMask(values, MIN_OWN_LENGTH);
  return (text) => redactText(maskOwn(text));
}

/** The text with every place that looks like a secret masked; places may overlap. */
function maskFound(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of findSecrets(text).sort((one, other) => one.start - other.start)) {
    if (end <= at) continue;
    if (start >= at) parts.push(text.slice(at, start), MASK);
    at = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(at);
}
