import { expect, it } from 'vitest';
import { askForm, type Form } from './ask-form.ts';

/** What comes of it when these lines are typed, and what was shown. */
async function filled(form: Partial<Form>, ...typed: string[]) {
  let shown = '';
  const answer = await askForm(
    { message: 'Well?', requestedSchema: { type: 'object', properties: {} }, ...form },
    {
      write: (text) => {
        shown += text;
      },
      async readLine(prompt) {
        shown += prompt;
        return typed.shift();
      },
    },
  );
  return { answer, shown };
}

const requestedSchema = {
  type: 'object',
  properties: {
    branch: { type: 'string', title: 'Branch', minLength: 2 },
    count: { type: 'integer', default: 2 },
    note: { type: 'string' },
    colour: { type: 'string', enum: ['red', 'green'] },
  },
  required: ['branch', 'colour'],
};

it('asks a field again until it fits, and takes defaults and what may be left out', async () => {
  const { answer, shown } = await filled({ requestedSchema }, '', 'm', 'main', 'many', '', '', 'blue', '2');
  expect(answer).toEqual({ action: 'accept', content: { branch: 'main', count: 2, colour: 'green' } });
  expect(shown).toContain('branch is required.');
  expect(shown).toContain('branch must have at least 2 characters.');
  expect(shown).toContain('count must be a whole number.');
  expect(shown).toContain('colour must be one of "red", "green".');
  expect(shown).toContain('Branch (branch) [text, at least 2 characters]: ');
});

it('takes for yes and no nothing but those', async () => {
  expect((await filled({}, '', 'yeah', 'Y')).answer).toEqual({ action: 'accept', content: {} });
  expect((await filled({}, 'no')).answer).toEqual({ action: 'decline' });
  expect((await filled({ requestedSchema }, 'main', '/no')).answer).toEqual({ action: 'decline' });
});

it('leaves it open where the person says nothing more', async () => {
  expect((await filled({})).answer).toEqual({ action: 'cancel' });
  expect((await filled({ requestedSchema }, 'main')).answer).toEqual({ action: 'cancel' });
});

it('has what exactly is said yes to typed, and not counted off', async () => {
  const bound = {
    type: 'object',
    properties: { subject_digest: { type: 'string', enum: ['0123abcd'] } },
    required: ['subject_digest'],
  };
  const { answer, shown } = await filled({ requestedSchema: bound }, 'yes', '1', '', '0123abcd');
  expect(answer).toEqual({ action: 'accept', content: { subject_digest: '0123abcd' } });
  expect(shown).toContain('Type 0123abcd to say yes to exactly this');
});

it('shows what somebody else wrote with what is odd escaped', async () => {
  expect((await filled({ message: 'Pay\u202e?\u001b[2J' })).shown).toContain('Pay\\u202e?\\u001b[2J');
});

it('says of a digest that was typed wrong that it is not the one, by no name that nobody was shown', async () => {
  const digest = { type: 'string', enum: ['8472c3a6'] };
  const bound = { type: 'object', properties: { subject_digest: digest }, required: ['subject_digest'] };
  const { answer, shown } = await filled({ requestedSchema: bound }, '8472', '8472c3a6');
  expect(answer).toEqual({ action: 'accept', content: { subject_digest: '8472c3a6' } });
  expect(shown).toContain('Type 8472c3a6 to say yes to exactly this: ');
  expect(shown).toContain('That is not it; /no says no, Ctrl-C leaves it open.');
  expect(shown).not.toContain('subject_digest');
});
