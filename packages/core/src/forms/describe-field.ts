import type { FormField } from './form.ts';

const TYPES = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  choice: 'one of',
  choices: 'any of, with commas between:',
} as const satisfies Record<FormField['type'], string>;

/** What a field takes, for a person: its type, its choices or limits, its default. */
export function describeField({ type, choices, limits, isRequired, default: given }: FormField): string {
  const { format } = limits;
  const listed = choices.map(({ value, title }) => (title === value ? value : `${value} (${title})`));
  return [
    [TYPES[type], listed.join(', ')].filter(Boolean).join(' '),
    ...(typeof format === 'string' ? [`as ${format}`] : []),
    ...limitWords(limits),
    ...(given === undefined
      ? []
      : [`by default ${typeof given === 'string' ? given : JSON.stringify(given)}`]),
    ...(isRequired || given !== undefined ? [] : ['may be left out']),
  ].join(', ');
}

function limitWords(limits: FormField['limits']): string[] {
  const words = [
    ['minimum', 'at least', ''],
    ['maximum', 'at most', ''],
    ['minLength', 'at least', ' characters'],
    ['maxLength', 'at most', ' characters'],
    ['minItems', 'at least', ' of them'],
    ['maxItems', 'at most', ' of them'],
  ] as const;
  return words.flatMap(([key, word, of]) => (key in limits ? [`${word} ${limits[key]}${of}`] : []));
}
