import type { Answer, AskedQuestion, Question } from '@nexus/plugin-sdk';
import { readForm } from './form.ts';
import { type FieldFault, formFaults, withDefaults } from './form-faults.ts';
import { readField } from './read-field.ts';

/** How much of a digest people are shown, and have to name at least. */
export const DIGEST_CHARS = 8;
/** The field by which an accepted form says what exactly it accepts. */
export const DIGEST_FIELD = 'subject_digest';

type Asked = Pick<AskedQuestion, 'message' | 'requestedSchema' | 'subject' | 'digest'>;

export function shortDigest(digest: string): string {
  return digest.slice(0, DIGEST_CHARS);
}

/** Whether what a person named is the beginning of the digest, and enough of it. */
export function namesDigest(digest: string, named: unknown): boolean {
  return typeof named === 'string' && named.length >= DIGEST_CHARS && digest.startsWith(named.toLowerCase());
}

/** @throws {TypeError} for a question that can't be asked by a form */
export function assertQuestion({ requestedSchema, subject }: Question): void {
  const isTaken = readForm(requestedSchema).some(({ name }) => name === DIGEST_FIELD);
  if (isTaken && subject !== undefined) {
    throw new TypeError(`the form of a question with a subject can't have a field "${DIGEST_FIELD}"`);
  }
}

/** The form that a person fills in; with a subject, what is accepted is named in it. */
export function questionSchema({ requestedSchema, digest }: Asked): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = requestedSchema ?? {};
  if (digest === undefined) return requestedSchema ?? { type: 'object', properties: {} };
  const confirmation = {
    type: 'string',
    title: 'For exactly this',
    description: 'The digest of what is shown: a yes is for that alone.',
    enum: [shortDigest(digest)],
  };
  return {
    type: 'object',
    properties: { ...(properties as object), [DIGEST_FIELD]: confirmation },
    required: [...(required as readonly string[]), DIGEST_FIELD],
  };
}

/** An answer whose fields were written as text, each as the question has it; one that it has not stays a text. */
export function readWritten({ requestedSchema }: Asked, { action, content }: Answer): Answer {
  if (content === undefined) return { action };
  const fields = readForm(requestedSchema);
  const read = (name: string, value: unknown) => {
    const field = fields.find((each) => each.name === name);
    return field && typeof value === 'string' ? readField(field, value) : value;
  };
  return {
    action,
    content: Object.fromEntries(Object.entries(content).map(([name, value]) => [name, read(name, value)])),
  };
}

/**
 * What keeps an answer from being one to a question, by its schema alone. A no needs no more words.
 * @throws {TypeError} for a schema that is no form
 */
export function answerFaults({ requestedSchema }: Asked, { action, content }: Answer): readonly FieldFault[] {
  if (action !== 'accept') return [];
  return formFaults(readForm(requestedSchema), content ?? {});
}

/** The answer as it is kept: an accepted form with its defaults, anything else without content. */
export function completeAnswer({ requestedSchema }: Asked, { action, content }: Answer): Answer {
  if (action !== 'accept' || requestedSchema === undefined) return { action };
  return { action, content: withDefaults(readForm(requestedSchema), content ?? {}) };
}
