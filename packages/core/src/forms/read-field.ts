import { isRounded } from '@nexus/primitives';
import type { FormField } from './form.ts';

/**
 * What a person wrote for a field, as the field's type; where it can't be read so, it stays the text that no
 * check lets pass.
 */
export function readField(field: FormField, written: string): unknown {
  const text = written.trim();
  switch (field.type) {
    case 'string':
      return written;
    case 'boolean':
      if (/^(y|yes|true)$/i.test(text)) return true;
      return /^(n|no|false)$/i.test(text) ? false : text;
    case 'number':
    case 'integer':
      // One that would become another number stays as it was written.
      return text === '' || Number.isNaN(Number(text)) || isRounded(text) ? text : Number(text);
    case 'choice':
      return choiceOf(field, text);
    case 'choices':
      return text === '' ? [] : text.split(',').map((each) => choiceOf(field, each.trim()));
  }
}

/** By its value or its title, else by its place in the list. */
function choiceOf({ choices }: FormField, text: string): string {
  const found = choices.find(({ value }) => value === text) ?? choices.find(({ title }) => title === text);
  // Of one there is nothing to choose: it is named.
  const place = choices.length > 1 && /^\d{1,3}$/.test(text) ? choices[Number(text) - 1] : undefined;
  return (found ?? place)?.value ?? text;
}
