import {
  DIGEST_FIELD,
  describeField,
  type FormField,
  fieldFault,
  readField,
  readForm,
} from '@nexus/core/forms';
import type { ElicitationAnswer } from '@nexus/plugin-sdk';
import { visibleLine, visibleText } from '@nexus/untrusted/shown';

export interface Form {
  readonly message: string;
  readonly requestedSchema: Readonly<Record<string, unknown>>;
}

/** Where a form is filled in: a terminal, or a test. */
export interface FormDesk {
  write(text: string): void;
  /** @returns undefined where the person says nothing more */
  readLine(prompt: string): Promise<string | undefined>;
}

const NO = '/no';

/**
 * Has a person fill in a form, field by field, each asked again until it fits.
 * @returns `cancel` where the person leaves it: only what was written is an answer
 */
export async function askForm(
  { message, requestedSchema }: Form,
  desk: FormDesk,
): Promise<ElicitationAnswer> {
  const fields = readForm(requestedSchema);
  desk.write(`\n${visibleText(message)}\n`);
  if (fields.length === 0) return yesOrNo(desk);
  desk.write(`(${NO} says no; Ctrl-C leaves it open)\n`);
  const content: Record<string, unknown> = {};
  for (const field of fields) {
    const said = await askField(field, desk);
    if (said === 'cancel' || said === 'decline') return { action: said };
    if (said.value !== undefined) content[field.name] = said.value;
  }
  return { action: 'accept', content };
}

async function yesOrNo(desk: FormDesk): Promise<ElicitationAnswer> {
  for (;;) {
    const said = (await desk.readLine('[y]es, [n]o; Ctrl-C leaves it open: '))?.trim();
    if (said === undefined) return { action: 'cancel' };
    if (/^y(es)?$/i.test(said)) return { action: 'accept', content: {} };
    if (/^no?$/i.test(said)) return { action: 'decline' };
    desk.write('That is neither y nor n.\n');
  }
}

type Said = 'cancel' | 'decline' | { readonly value: unknown };

async function askField(field: FormField, desk: FormDesk): Promise<Said> {
  const { name, title, description } = field;
  const about = description === undefined ? '' : `. ${description}`;
  const what =
    name === DIGEST_FIELD
      ? `Type ${field.choices[0]?.value} to say yes to exactly this: `
      : `${title === name ? name : `${title} (${name})`} [${describeField(field)}${about}]: `;
  for (;;) {
    const written = await desk.readLine(visibleLine(what));
    if (written === undefined) return 'cancel';
    if (written.trim() === NO) return 'decline';
    const value = written.trim() === '' ? field.default : readField(field, written);
    const fault = fieldFault(field, value);
    if (fault === undefined) return { value };
    const wrong =
      name === DIGEST_FIELD ? `That is not it; ${NO} says no, Ctrl-C leaves it open.` : `${name} ${fault}.`;
    desk.write(visibleLine(wrong).concat('\n'));
  }
}
