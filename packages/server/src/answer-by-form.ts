import { DIGEST_FIELD, formFaults, questionSchema, readForm, withDefaults } from '@nexus/core/forms';
import type { Answer, AskedQuestion, ElicitationAnswer, ElicitationRequest } from '@nexus/plugin-sdk';
import { questionText } from '@nexus/untrusted/shown';

/** Longer is not read in a dialogue, and nobody says yes to what was not shown: `nexus runs` shows all of it. */
const MAX_CHARS = 20_000;
/** How often a form is shown that comes back filled in wrongly. */
const MAX_TRIES = 3;

/** The key under which a client finds which question of which run a form is. */
const QUESTION_META = 'nexus/question';

type QuestionForm = ElicitationRequest & { readonly _meta: Readonly<Record<string, unknown>> };

/**
 * A run's question as a form; with a subject, the form names what exactly is accepted.
 * @param elicit shows a form, and answers what came back
 * @returns undefined where it stays open
 */
export async function answerByForm(
  elicit: (form: QuestionForm) => Promise<ElicitationAnswer>,
  question: AskedQuestion,
): Promise<Answer | undefined> {
  const text = questionText(question);
  if (text.length > MAX_CHARS) return undefined;
  const requestedSchema = questionSchema(question);
  const fields = readForm(requestedSchema);
  const { runId, name, digest } = question;
  const _meta = { [QUESTION_META]: { runId, name, ...(digest === undefined ? {} : { digest }) } };
  let message = text;
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const { action, content = {} } = await elicit({ message, requestedSchema, _meta });
    if (action === 'cancel') return undefined;
    if (action === 'decline') return { action };
    const filled = withDefaults(fields, content);
    const faults = formFaults(fields, filled);
    const { [DIGEST_FIELD]: _, ...own } = filled;
    if (faults.length === 0) return { action, content: digest === undefined ? filled : own };
    const listed = faults.map((fault) => `${fault.field} ${fault.message}`).join('; ');
    message = `What was filled in does not fit: ${listed}.\n\n${text}`;
  }
  return undefined;
}
