import { describe, expect, it } from 'vitest';
import {
  answerFaults,
  assertQuestion,
  completeAnswer,
  type FormField,
  fieldFault,
  questionSchema,
  readField,
  readForm,
  readWritten,
} from './index.ts';

const form = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5 },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    share: { type: 'number', maximum: 1 },
    isDraft: { type: 'boolean', title: 'As a draft' },
    colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
    size: {
      type: 'string',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
    },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2 },
    mail: { type: 'string', format: 'email' },
    day: { type: 'string', format: 'date' },
  },
  required: ['name', 'tags'],
};

function field(name: string): FormField {
  const found = readForm(form).find((each) => each.name === name);
  if (!found) throw new Error(`no field ${name}`);
  return found;
}

describe('a form', () => {
  it('is read with its types, choices and what is required', () => {
    expect(readForm(undefined)).toEqual([]);
    expect(readForm(form).map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
      ['name', 'string', true],
      ['count', 'integer', false],
      ['share', 'number', false],
      ['isDraft', 'boolean', false],
      ['colour', 'choice', false],
      ['size', 'choice', false],
      ['tags', 'choices', true],
      ['mail', 'string', false],
      ['day', 'string', false],
    ]);
    expect(field('colour').choices).toEqual([
      { value: 'r', title: 'Red' },
      { value: 'g', title: 'Green' },
    ]);
  });

  it.each([
    ['is of another type', { type: 'array' }],
    ['nests', { type: 'object', properties: { a: { type: 'object', properties: {} } } }],
    [
      'lists free values',
      { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } },
    ],
    ['says what no client checks', { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } }],
    ['has a limit that is none', { type: 'object', properties: { a: { type: 'string', maxLength: '9' } } }],
    ['requires what it has not', { type: 'object', properties: {}, required: ['a'] }],
  ])('that %s is refused', (_, schema) => {
    expect(() => readForm(schema)).toThrow(TypeError);
  });

  it.each([
    ['name', 'abcde', true],
    ['name', '', false],
    ['name', 'abcdef', false],
    ['name', '😀😀😀😀😀', true],
    ['name', undefined, false],
    ['count', 9, true],
    ['count', 1.5, false],
    ['count', 0, false],
    ['count', '3', false],
    ['count', undefined, true],
    ['share', 0.5, true],
    ['share', Number.NaN, false],
    ['share', 1.1, false],
    ['isDraft', false, true],
    ['isDraft', 'false', false],
    ['colour', 'r', true],
    ['colour', 'Red', false],
    ['size', 'l', true],
    ['tags', ['a', 'b'], true],
    ['tags', ['a', 'a'], false],
    ['tags', [], false],
    ['tags', 'a', false],
    ['mail', 'a@b.c', true],
    ['mail', 'a b@c', false],
    ['day', '2028-02-29', true],
    ['day', '2027-02-29', false],
  ])('takes for %s the value %j: %s', (name, value, isTaken) => {
    expect(fieldFault(field(name), value) === undefined).toBe(isTaken);
  });

  it.each([
    ['name', ' x ', ' x '],
    ['count', ' 7 ', 7],
    ['count', 'many', 'many'],
    ['count', '9007199254740993', '9007199254740993'],
    ['share', '0.12345678901234567891', '0.12345678901234567891'],
    ['share', '0.125', 0.125],
    ['count', '', ''],
    ['isDraft', 'Y', true],
    ['isDraft', 'no', false],
    ['isDraft', 'perhaps', 'perhaps'],
    ['colour', 'Green', 'g'],
    ['colour', '1', 'r'],
    ['tags', 'a, 2', ['a', 'b']],
  ])('reads for %s what a person writes as %j', (name, written, value) => {
    expect(readField(field(name), written)).toEqual(value);
  });

  it.each(['count', 'share'])(
    'says of a number for %s that would become another how many digits it may have',
    (name) => {
      expect(fieldFault(field(name), '9007199254740993')).toContain('must have at most 15 digits');
      expect(fieldFault(field(name), 'many')).toMatch(/must be a (whole )?number/);
    },
  );
});

describe('a question', () => {
  const subject = { tool: 'pay', arguments: { to: 'a\u202eb' } };
  const digest = '0123456789abcdef';

  it('has what exactly a yes is for named in its form', () => {
    const asked = { message: 'Pay\u200b?', requestedSchema: form, subject, digest };
    expect(questionSchema(asked)).toMatchObject({
      properties: { ...form.properties, subject_digest: { enum: ['01234567'] } },
      required: ['name', 'tags', 'subject_digest'],
    });
    expect(questionSchema({ message: 'Go?' })).toEqual({ type: 'object', properties: {} });
    const taken = { type: 'object', properties: { subject_digest: { type: 'string' } } };
    expect(() => assertQuestion({ message: '', requestedSchema: taken, subject })).toThrow('subject_digest');
    expect(() => assertQuestion({ message: '', requestedSchema: taken })).not.toThrow();
  });

  it('is answered by its own fields alone, with their defaults; a no needs none', () => {
    const asked = { message: 'Which?', requestedSchema: form };
    expect(answerFaults(asked, { action: 'accept', content: { tags: [], more: 1 } })).toEqual([
      { field: 'name', message: 'is required' },
      { field: 'tags', message: 'must be at least 1 of "a", "b"' },
      { field: 'more', message: 'is not asked for' },
    ]);
    expect(answerFaults(asked, { action: 'decline' })).toEqual([]);
    expect(answerFaults({ message: 'Go?' }, { action: 'accept' })).toEqual([]);
    expect(answerFaults({ message: 'Go?' }, { action: 'accept', content: { a: 1 } })).toHaveLength(1);
    const content = { name: 'x', tags: ['a'] };
    expect(completeAnswer(asked, { action: 'accept', content })).toEqual({
      action: 'accept',
      content: { ...content, count: 3 },
    });
  });
});

it('reads an answer that was written as text by its question, and leaves the rest as it is', () => {
  const content = { name: '007', count: '7', isDraft: 'no', other: '1', share: 0.5 };
  expect(readWritten({ message: 'What?', requestedSchema: form }, { action: 'accept', content })).toEqual({
    action: 'accept',
    content: { name: '007', count: 7, isDraft: false, other: '1', share: 0.5 },
  });
  expect(readWritten({ message: 'Go?' }, { action: 'decline' })).toEqual({ action: 'decline' });
});
