import { readField, readForm } from '@nexus/core/forms';
import { questionsCalled } from '@nexus/engine';
import { type Answer, type AskedQuestion, type Runs, ToolError } from '@nexus/plugin-sdk';

/** An answer as a person writes it on a command line. */
export interface GivenAnswer {
  readonly action: Exclude<Answer['action'], 'cancel'>;
  /** What is written for each field; its type is the question's to say. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly question?: string;
  /** Of what the answer is for: enough of its beginning. */
  readonly digest?: string;
}

/**
 * Answers what a run asks, or one that it waits for: whoever looks at the first sees the questions of all. One
 * that is not asked yet is answered ahead.
 * @throws {ToolError} as `Runs.answer` does
 */
export async function answerRun(
  runs: Pick<Runs, 'get' | 'answer'>,
  id: string,
  { action, fields, question: name, digest }: GivenAnswer,
): Promise<AskedQuestion> {
  const { asks = [] } = await runs.get(id);
  const meant = name === undefined ? asks : questionsCalled(asks, name);
  // The one of the run itself goes before those of its children.
  const own = meant.filter(({ runId }) => runId === id);
  const [asked] = own.length === 1 ? own : meant;
  if (meant.length > 1 && own.length !== 1) throw whichOne(meant);
  const content = fields && contentOf(asked, fields);
  const question = asked?.name ?? name;
  return runs.answer(
    asked?.runId ?? id,
    { action, ...(content ? { content } : {}) },
    { ...(question === undefined ? {} : { question }), ...(digest === undefined ? {} : { digest }) },
  );
}

/** A field that the question does not have stays a text, and is refused where answers are checked. */
function contentOf(
  question: AskedQuestion | undefined,
  written: NonNullable<GivenAnswer['fields']>,
): Readonly<Record<string, unknown>> {
  const fields = readForm(question?.requestedSchema);
  const value = (name: string, text: string) => {
    const field = fields.find((each) => each.name === name);
    return field ? readField(field, text) : text;
  };
  return Object.fromEntries(Object.entries(written).map(([name, text]) => [name, value(name, text)]));
}

function whichOne(asks: readonly AskedQuestion[]): ToolError {
  const listed = asks.map(({ runId, name }) => `"${name}" of ${runId}`).join(', ');
  return new ToolError(
    'NEXUS_CONFLICT',
    `${asks.length} questions are open: ${listed}. Name one, and its run.`,
  );
}
