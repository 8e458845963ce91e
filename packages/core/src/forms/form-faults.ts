import { isRounded } from '@nexus/primitives';
import type { FormField } from './form.ts';

type Content = Readonly<Record<string, unknown>>;

/** What is wrong with one field of an answer. */
export interface FieldFault {
  readonly field: string;
  /** What it must be. */
  readonly message: string;
}

/** What does not fit in an answer to a form, field by field; what the form does not ask for is no answer to it. */
export function formFaults(fields: readonly FormField[], content: Content): readonly FieldFault[] {
  const faults = fields.flatMap((field) => {
    const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
    const message = fieldFault(field, value);
    return message === undefined ? [] : [{ field: field.name, message }];
  });
  const strays = Object.keys(content).filter((name) => !fields.some((field) => field.name === name));
  return [...faults, ...strays.map((field) => ({ field, message: 'is not asked for' }))];
}

/** What is wrong with the value of a field; undefined where it fits. */
export function fieldFault(field: FormField, value: unknown): string | undefined {
  if (value === undefined) return field.isRequired ? 'is required' : undefined;
  return FAULTS[field.type](value, field);
}

/** An answer with the defaults of fields that it leaves out. */
export function withDefaults(fields: readonly FormField[], content: Content): Content {
  const missing = fields.filter(
    (field) => field.default !== undefined && !Object.hasOwn(content, field.name),
  );
  return { ...Object.fromEntries(missing.map((field) => [field.name, field.default])), ...content };
}

type Fault = (value: unknown, field: FormField) => string | undefined;

const FAULTS: Readonly<Record<FormField['type'], Fault>> = {
  string(value, { limits: { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format } }) {
    if (typeof value !== 'string') return 'must be a text';
    // In characters as people count them, as JSON Schema does.
    const length = [...value].length;
    if (length < Number(minLength)) return `must have at least ${minLength} characters`;
    if (length > Number(maxLength)) return `must have at most ${maxLength} characters`;
    return isOfFormat(value, format) ? undefined : `must be ${FORMAT_WORDS[String(format)]}`;
  },
  number: (value, field) => roundedFault(value) ?? numberFault(value, field),
  integer: (value, field) =>
    roundedFault(value) ?? (Number.isInteger(value) ? numberFault(value, field) : 'must be a whole number'),
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  choice: (value, { choices }) =>
    choices.some((each) => each.value === value) ? undefined : `must be one of ${listed(choices)}`,
  choices(value, { choices, limits: { minItems = 0, maxItems = Number.POSITIVE_INFINITY } }) {
    const isFine = Array.isArray(value) && value.every((each) => choices.some((one) => one.value === each));
    if (!isFine || new Set(value).size < value.length) return `must be some of ${listed(choices)}, each once`;
    if (value.length < Number(minItems)) return `must be at least ${minItems} of ${listed(choices)}`;
    return value.length > Number(maxItems) ? `must be at most ${maxItems} of ${listed(choices)}` : undefined;
  },
};

/** Of a number that stayed as it was written, since it would have become another. */
function roundedFault(value: unknown): string | undefined {
  const isNumber = typeof value === 'string' && value !== '' && !Number.isNaN(Number(value));
  return isNumber && isRounded(value) ? 'must have at most 15 digits' : undefined;
}

function numberFault(
  value: unknown,
  { limits: { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } }: FormField,
): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (value < Number(minimum)) return `must be at least ${minimum}`;
  return value > Number(maximum) ? `must be at most ${maximum}` : undefined;
}

function listed(choices: FormField['choices']): string {
  return choices.map(({ value }) => JSON.stringify(value)).join(', ');
}

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  uri: 'a URI, such as https://example.com/',
  date: 'a date, such as 2026-07-28',
  'date-time': 'a date with a time and its zone, such as 2026-07-28T09:30:00Z',
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

function isOfFormat(value: string, format: unknown): boolean {
  if (format === 'email') return EMAIL.test(value);
  if (format === 'uri') return URL.canParse(value);
  if (format === 'date') return DATE.test(value) && isDay(value);
  if (format === 'date-time') {
    return DATE_TIME.test(value) && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value));
  }
  return true;
}

/** Not 30 February, which dates are otherwise counted on from. */
function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
